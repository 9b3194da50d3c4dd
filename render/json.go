package render

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render/catalogue"
	"hwcap/render/escape"
)

// Schema names the version of report.json.
const Schema = "hwcap.report/1"

// The JSON report: the shape of templates/schemas/report.schema.json.
type (
	jsonReport struct {
		Schema   string        `json:"schema"`
		Tool     jsonTool      `json:"tool"`
		Capture  jsonCapture   `json:"capture"`
		Findings []jsonFinding `json:"findings"`
	}
	jsonTool struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	jsonCapture struct {
		ID      string       `json:"id"`
		Host    string       `json:"host,omitempty"`
		Kernel  string       `json:"kernel,omitempty"`
		Taken   string       `json:"taken,omitempty"`
		UID     *int         `json:"uid,omitempty"`
		Rebuilt string       `json:"rebuilt,omitempty"`
		CutOff  bool         `json:"cutOff,omitempty"`
		Sources []jsonSource `json:"sources"`
	}
	jsonSource struct {
		Name  string     `json:"name"`
		Path  string     `json:"path"`
		State fact.State `json:"state"`
		Why   string     `json:"why,omitempty"`
	}
	jsonFinding struct {
		ID         string           `json:"id"`
		Case       string           `json:"case"`
		Verdict    judge.Verdict    `json:"verdict"`
		Severity   judge.Severity   `json:"severity,omitempty"`
		Confidence judge.Confidence `json:"confidence,omitempty"`
		Known      bool             `json:"known,omitempty"`
		Subjects   []string         `json:"subjects"`
		Title      jsonText         `json:"title"`
		Why        *jsonText        `json:"why,omitempty"`
		Values     map[string]any   `json:"values,omitempty"`
		Count      int              `json:"count,omitempty"`
		Evidence   []jsonEvidence   `json:"evidence,omitempty"`
		Rivals     []jsonText       `json:"rivals,omitempty"`
		NotProven  []jsonText       `json:"notProven,omitempty"`
		Next       []jsonStep       `json:"next,omitempty"`
		Refs       []string         `json:"refs,omitempty"`
	}
	jsonText struct {
		De string `json:"de"`
		En string `json:"en"`
	}
	jsonStep struct {
		Command string `json:"command,omitempty"`
		De      string `json:"de"`
		En      string `json:"en"`
	}
	jsonEvidence struct {
		Capture judge.Side `json:"capture,omitempty"`
		fact.Line
		Text string `json:"text"`
	}
)

// JSON writes the report for programs, with the texts of both languages.
// version is the tool's own.
func JSON(w io.Writer, m *fact.Machine, findings []judge.Finding, c *catalogue.Catalogue, version string) error {
	out := jsonReport{
		Schema:  Schema,
		Tool:    jsonTool{"hwcap", version},
		Capture: captureOf(m),
	}
	var err error
	out.Findings, err = findingsOf(findings, c, c.NewWriter(m, catalogue.German, catalogue.Plain), c.NewWriter(m, catalogue.English, catalogue.Plain))
	if err != nil {
		return err
	}
	return encode(w, out)
}

// captureOf is what a report says of a capture as a whole.
func captureOf(m *fact.Machine) jsonCapture {
	c := jsonCapture{
		ID: m.Capture.ID, Host: m.Capture.Host, Kernel: m.Capture.Kernel, Taken: m.Capture.Start,
		UID: m.Capture.UID, Rebuilt: m.Capture.Rebuilt, CutOff: m.Capture.CutOff, Sources: []jsonSource{},
	}
	for _, s := range m.Sources {
		c.Sources = append(c.Sources, jsonSource{s.Name, s.Path, s.State, s.Why})
	}
	return c
}

// findingsOf words the findings in both languages.
func findingsOf(findings []judge.Finding, c *catalogue.Catalogue, de, en *catalogue.Writer) ([]jsonFinding, error) {
	out := []jsonFinding{}
	for _, f := range findings {
		german, err := de.Expand(f)
		if err != nil {
			return nil, err
		}
		english, err := en.Expand(f)
		if err != nil {
			return nil, err
		}
		j, err := jsonOf(f, german, english)
		if err != nil {
			return nil, err
		}
		j.Refs = c.Entries[f.ID].Refs
		out = append(out, j)
	}
	return out, nil
}

func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(escape.JSON(w))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

func jsonOf(f judge.Finding, de, en catalogue.Text) (jsonFinding, error) {
	j := jsonFinding{
		ID: f.ID, Case: f.Case, Verdict: f.Verdict, Severity: f.Severity, Confidence: f.Confidence, Known: f.Known,
		Subjects: f.Subjects, Title: jsonText{de.Title, en.Title}, Values: given(f.Values), Count: f.Count,
	}
	if de.Why != "" {
		j.Why = &jsonText{de.Why, en.Why}
	}
	for _, e := range f.Evidence {
		j.Evidence = append(j.Evidence, jsonEvidence{e.Capture, e.Line, e.Text})
	}
	// The languages drop the same conditional texts, or the wording is wrong.
	if len(de.Rivals) != len(en.Rivals) || len(de.NotProven) != len(en.NotProven) || len(de.Next) != len(en.Next) {
		return j, fmt.Errorf("catalogue: %s, case %s: the languages differ in what they list", f.ID, f.Case)
	}
	for i := range de.Rivals {
		j.Rivals = append(j.Rivals, jsonText{de.Rivals[i], en.Rivals[i]})
	}
	for i := range de.NotProven {
		j.NotProven = append(j.NotProven, jsonText{de.NotProven[i], en.NotProven[i]})
	}
	for i := range de.Next {
		j.Next = append(j.Next, jsonStep{en.Next[i].Command, de.Next[i].Text, en.Next[i].Text})
	}
	return j, nil
}

// given drops the values that a rule had no reading for: empty ones, and a
// speed, width or rate of zero, which no link has.
func given(values map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range values {
		rv := reflect.ValueOf(v)
		switch {
		case !rv.IsValid():
		case (rv.Kind() == reflect.Slice || rv.Kind() == reflect.String || rv.Kind() == reflect.Map) && rv.Len() == 0:
		case rv.IsZero() && (strings.HasSuffix(k, "GTs") || strings.HasSuffix(k, "GBs") || strings.HasSuffix(k, "Lanes")):
		default:
			out[k] = v
		}
	}
	return out
}
