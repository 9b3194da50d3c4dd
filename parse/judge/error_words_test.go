package judge_test

import (
	"testing"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render/catalogue"
)

func init() {
	texts, err := catalogue.Load()
	judge.CheckWording = func(t *testing.T, m *fact.Machine, f judge.Finding) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		expand(t, texts, m, f)
	}
}
