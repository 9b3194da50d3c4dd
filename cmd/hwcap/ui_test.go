package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	plain := errors.New("it broke")
	for situation, tt := range map[string]struct {
		err  error
		code int
		want string
	}{
		"no error":             {nil, 0, ""},
		"an error":             {plain, 1, "hwcap: it broke\n"},
		"with a next step":     {fmt.Errorf("open: %w", withHint(plain, "mend it")), 1, "hwcap: open: it broke\nhint: mend it\n"},
		"of usage":             {usageError(plain, "read the help"), 2, "hwcap: it broke\nhint: read the help\n"},
		"of usage with a hint": {usageError(withHint(plain, "mend it"), "read the help"), 2, "hwcap: it broke\nhint: mend it\n"},
		"all is said":          {exitStatus(exitIncomplete), 3, ""},
		"from a hostile name":  {errors.New("open \x1b[2Jx\ny"), 1, "hwcap: open <U+001B>[2Jx y\n"},
	} {
		var got strings.Builder
		if code := report(&got, tt.err); code != tt.code || got.String() != tt.want {
			t.Errorf("%s: exit code %d, %q", situation, code, got.String())
		}
	}
}

func TestMessageLocale(t *testing.T) {
	for _, tt := range []struct{ all, messages, lang, want string }{
		{"", "", "", ""},
		{"", "", "de_DE.UTF-8", "de_DE.UTF-8"},
		{"", "C", "de_DE.UTF-8", "C"},
		{"en_US.UTF-8", "de_DE.UTF-8", "de_DE.UTF-8", "en_US.UTF-8"},
	} {
		env := map[string]string{"LC_ALL": tt.all, "LC_MESSAGES": tt.messages, "LANG": tt.lang}
		if got := messageLocale(func(name string) string { return env[name] }); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}
