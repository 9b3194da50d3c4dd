package redact

import (
	"bytes"
	"strings"
	"testing"
)

// TestPrivateKeys holds that no secret key stays, wherever it stands in a text,
// and that the lines keep their number.
func TestPrivateKeys(t *testing.T) {
	secret := strings.Repeat("0123456789abcdef", 4)
	for name, text := range map[string]string{
		"of pseudonyms":           "# Key of hwcap redact.\nhwcap-redact-key-1:" + secret + ":01234567\n",
		"of age":                  "# created\nAGE-SECRET-KEY-1" + strings.ToUpper(secret) + "\n",
		"of age in a note":        "the key: AGE-SECRET-KEY-1" + strings.ToUpper(secret) + ", keep it\n",
		"of ssh":                  "-----BEGIN OPENSSH PRIVATE KEY-----\n" + secret + "\n" + secret + "\n-----END OPENSSH PRIVATE KEY-----\nafter\n",
		"of PGP":                  "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n" + secret + "\n-----END PGP PRIVATE KEY BLOCK-----\nafter\n",
		"PEM in one line of JSON": `{"key": "-----BEGIN PRIVATE KEY-----\n` + secret + `\n-----END PRIVATE KEY-----\n"}` + "\nafter\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := New(Key{1})
			if err := r.Learn("notes.txt", strings.NewReader(text)); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := r.Rewrite("notes.txt", &out, strings.NewReader(text)); err != nil {
				t.Fatal(err)
			}
			got := out.String()
			if strings.Contains(strings.ToLower(got), secret) || strings.Contains(got, pemBegin) {
				t.Errorf("the key stays:\n%s", got)
			}
			if strings.Count(got, "\n") != strings.Count(text, "\n") {
				t.Errorf("another number of lines:\n%s", got)
			}
			if strings.HasSuffix(text, "after\n") && !strings.HasSuffix(got, "after\n") {
				t.Errorf("what follows the key is gone:\n%s", got)
			}
			if isKey := !strings.HasPrefix(text, "the") && !strings.HasPrefix(text, "{"); isKey && !IsKey([]byte(text)) {
				t.Error("not taken for a file of a key")
			}
		})
	}
	if IsKey([]byte("-----BEGIN CERTIFICATE-----\n")) || IsKey([]byte("Vendor: Example\n")) {
		t.Error("taken for a file of a key")
	}
}
