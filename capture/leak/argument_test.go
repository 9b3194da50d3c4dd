package leak

import "testing"

func TestArguments(t *testing.T) {
	for line, want := range map[string]string{
		"x --password hunter2x":                       "hunter2x",
		`["x","--api-key","k1l2"]`:                    "k1l2",
		"x --password-file /etc/x --token --verbose":  "",
		"x --password redacted-by-hwcap":              "",
		"sshpass -p geheim58 ssh":                     "geheim58",
		"sshpass -pgeheim58 ssh":                      "geheim58",
		`["sh","-c","mysql -pgeheim56 -h x"]`:         "geheim56",
		"mysql -p -h x":                               "",
		"ssh -p 2222 x":                               "",
		"curl -u marlene:geheim55 x":                  "geheim55",
		"curl -u user-gggggggggg:redacted-by-hwcap x": "",
		"AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI":         "wJalrXUtnFEMI",
		"Authorization: Bearer eyJhbGciOi":            "eyJhbGciOi",
		"ro inst.vncpassword=geheim12":                "geheim12",
	} {
		got := ""
		arguments(line, func(_ Way, _, value string) { got = value })
		if got != want {
			t.Errorf("%s: found %q, want %q", line, got, want)
		}
	}
}
