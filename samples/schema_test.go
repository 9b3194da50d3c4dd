package samples

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"hwcap/render"
	"hwcap/render/catalogue"
)

// TestSamplesFollowTheSchemas validates the manifest, the facts and the JSON
// report of every sample.
func TestSamplesFollowTheSchemas(t *testing.T) {
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	captures, facts, reports := schema(t, "capture"), schema(t, "facts"), schema(t, "report")
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			_, members := readMembers(t, name)
			for _, m := range members {
				if m.name == "manifest.json" {
					validate(t, captures, m.data)
				}
			}
			m, findings := sample(t, name)
			data, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			validate(t, facts, data)
			var report bytes.Buffer
			if err := render.JSON(&report, m, findings, texts, "test"); err != nil {
				t.Fatal(err)
			}
			validate(t, reports, report.Bytes())
		})
	}
}

// TestSchemasRefuse holds that the schemas are not so wide that anything fits.
func TestSchemasRefuse(t *testing.T) {
	for kind, wrong := range map[string]string{
		"capture": `{"schema":"hwcap.capture/1","sources":[{"name":"dmesg","state":"gone"}]}`,
		"facts":   `{"schema":"hwcap.facts/1","capture":{"id":1}}`,
		"report":  `{"schema":"hwcap.report/1","findings":[{"id":"x","verdict":"maybe"}]}`,
	} {
		var value any
		if err := json.Unmarshal([]byte(wrong), &value); err != nil {
			t.Fatal(err)
		}
		if schema(t, kind).Validate(value) == nil {
			t.Errorf("the schema of the %s takes %s", kind, wrong)
		}
	}
}

// schema reads templates/schemas/KIND.schema.json.
func schema(t *testing.T, kind string) *jsonschema.Resolved {
	t.Helper()
	text, err := os.ReadFile("../templates/schemas/" + kind + ".schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatalf("%s: %v", kind, err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatalf("%s: %v", kind, err)
	}
	return resolved
}

func validate(t *testing.T, s *jsonschema.Resolved, data []byte) {
	t.Helper()
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(value); err != nil {
		t.Error(err)
	}
}
