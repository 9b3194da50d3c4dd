package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"
	"filippo.io/age/agessh"
	"golang.org/x/crypto/ssh"
)

// TestLockedKey holds that a passphrase that cannot be had is not blamed on the
// file that the key is to open.
func TestLockedKey(t *testing.T) {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKeyWithPassphrase(private, "", []byte("open sesame"))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "id_ed25519")
	if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	keys, err := identities([]string{name})
	if err != nil {
		t.Fatal(err)
	}
	sshKey, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	to, err := agessh.NewEd25519Recipient(sshKey)
	if err != nil {
		t.Fatal(err)
	}
	var sealed bytes.Buffer
	w, err := seal(&sealed, []age.Recipient{to})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = unseal(&sealed, keys) // a test has no terminal
	var said strings.Builder
	report(&said, err)
	if got := said.String(); !strings.Contains(got, "does not open the key "+name) || strings.Contains(got, "transfer") {
		t.Errorf("it says:\n%s", got)
	}
}
