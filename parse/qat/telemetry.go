package qat

import (
	"io"
	"path"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// ParseTelemetry reads device_data and rp_<slot>_data of the folder telemetry: a
// metric a line with its value, or with value, minimum, maximum and average.
// Names and units are those of
// Documentation/ABI/testing/debugfs-driver-qat_telemetry.
func ParseTelemetry(r io.Reader, file string) ([]fact.Metric, []fact.Problem, error) {
	t := telemetry{file: path.Base(file)}
	problems, err := read(r, file, &t)
	return t.metrics, problems, err
}

type telemetry struct {
	file    string
	metrics []fact.Metric
}

func (t *telemetry) line(text string, at fact.Line) bool {
	fields := strings.Fields(text)
	m := fact.Metric{File: t.file, Name: fields[0], At: at}
	if len(fields) == 2 && fields[0] == "service_type" {
		m.Text = fields[1]
		t.metrics = append(t.metrics, m)
		return true
	}
	if len(fields) != 2 && len(fields) != 5 || !isMetric(fields[0]) {
		return false
	}
	for i, into := range []**int64{&m.Value, &m.Min, &m.Max, &m.Avg}[:len(fields)-1] {
		n, err := strconv.ParseInt(fields[1+i], 10, 64)
		if err != nil {
			return false
		}
		*into = &n
	}
	t.metrics = append(t.metrics, m)
	return true
}

// isMetric matches "util_cpr0", "sample_cnt".
func isMetric(s string) bool {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return strings.Contains(s, "_")
}

// isTelemetryHeading matches the first line of each of these files.
func isTelemetryHeading(text string) bool {
	fields := strings.Fields(text)
	return len(fields) == 2 && fields[0] == "sample_cnt" && strings.Trim(fields[1], "0123456789") == ""
}
