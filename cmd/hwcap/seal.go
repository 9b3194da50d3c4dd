package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"filippo.io/age"
	"filippo.io/age/agessh"
	"filippo.io/age/armor"
	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"
	"golang.org/x/term"
)

// sealedEnding is that of a file which is encrypted with age.
const sealedEnding = ".age"

// keyFileLimit bounds what is read of a file of keys.
const keyFileLimit = 1 << 20 // bytes

// recipients reads the values of --encrypt-to: public keys of age and ssh, or
// files that hold them one a line, as authorized_keys and age -R do.
func recipients(values []string) ([]age.Recipient, error) {
	var all []age.Recipient
	for _, value := range values {
		if isRecipient(value) {
			r, err := recipient(value)
			if err != nil {
				return nil, usageError(fmt.Errorf("--encrypt-to: %w", err), text("den ganzen öffentlichen Schlüssel nennen, in Anführungszeichen", "give the whole public key, in quotes"))
			}
			all = append(all, r)
			continue
		}
		some, err := recipientsFile(value)
		if err != nil {
			return nil, usageError(fmt.Errorf("--encrypt-to: %w", err), text(
				"ein öffentlicher Schlüssel (age1…, ssh-ed25519 …, ssh-rsa …) oder eine Datei mit solchen", "a public key (age1…, ssh-ed25519 …, ssh-rsa …) or a file of them"))
		}
		all = append(all, some...)
	}
	return all, nil
}

func isRecipient(s string) bool {
	return strings.HasPrefix(s, "age1") || strings.HasPrefix(s, "ssh-") || strings.HasPrefix(s, "AGE-SECRET-KEY-")
}

// recipient reads one public key.
func recipient(s string) (age.Recipient, error) {
	switch {
	case strings.HasPrefix(s, "AGE-SECRET-KEY-"):
		return nil, errors.New(text("das ist ein geheimer Schlüssel, kein öffentlicher", "this is a secret key, not a public one"))
	case strings.HasPrefix(s, "ssh-"):
		return agessh.ParseRecipient(s)
	}
	all, err := age.ParseRecipients(strings.NewReader(s))
	if err != nil || len(all) != 1 {
		return nil, errors.New(text("kein gültiger öffentlicher Schlüssel von age", "not a valid public key of age"))
	}
	return all[0], nil
}

// recipientsFile reads a file of public keys, one a line.
func recipientsFile(name string) ([]age.Recipient, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []age.Recipient
	lines := bufio.NewScanner(io.LimitReader(f, keyFileLimit))
	lines.Buffer(nil, 64<<10)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		r, err := recipient(line)
		if err != nil { // without the line: it may be a secret
			return nil, fmt.Errorf(text("%s, Zeile %d: kein öffentlicher Schlüssel, für den age verschlüsselt", "%s, line %d: no public key that age encrypts to"), name, n)
		}
		all = append(all, r)
	}
	switch {
	case lines.Err() != nil:
		return nil, fmt.Errorf("%s: %w", name, lines.Err())
	case len(all) == 0:
		return nil, fmt.Errorf(text("%s: kein öffentlicher Schlüssel darin", "%s: no public key in it"), name)
	}
	return all, nil
}

// identities reads the files of --identity: those of age-keygen, and private
// keys of ssh.
func identities(names []string) ([]age.Identity, error) {
	var all []age.Identity
	for _, name := range names {
		some, err := identityFile(name)
		if err != nil {
			return nil, withHint(fmt.Errorf("--identity: %w", err), text(
				"die Datei von age-keygen oder den privaten Schlüssel von ssh nennen", "name the file of age-keygen or the private key of ssh"))
		}
		all = append(all, some...)
	}
	return all, nil
}

func identityFile(name string) ([]age.Identity, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, keyFileLimit))
	if err != nil {
		return nil, err
	}
	switch {
	case isSealed(data):
		return nil, fmt.Errorf(text("%s: der Schlüssel ist selbst verschlüsselt; so öffnet ihn age: age -d %[1]s", "%s: the key is encrypted itself; age opens it: age -d %[1]s"), name)
	case bytes.HasPrefix(bytes.TrimSpace(data), []byte("-----BEGIN")):
		id, err := sshIdentity(name, data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return []age.Identity{id}, nil
	}
	all, err := age.ParseIdentities(bytes.NewReader(data))
	if err != nil { // whose words may quote a line
		return nil, fmt.Errorf(text("%s: kein geheimer Schlüssel darin", "%s: no secret key in it"), name)
	}
	return all, nil
}

// sshIdentity reads a private key of ssh. One with a passphrase is opened when
// it is needed.
func sshIdentity(name string, pem []byte) (age.Identity, error) {
	id, err := agessh.ParseIdentity(pem)
	locked := (*ssh.PassphraseMissingError)(nil)
	if !errors.As(err, &locked) {
		return id, err
	}
	public := locked.PublicKey
	if public == nil { // of the old format, which keeps it in a file beside it
		data, err := os.ReadFile(name + ".pub")
		if err != nil {
			return nil, err
		}
		if public, _, _, _, err = ssh.ParseAuthorizedKey(data); err != nil {
			return nil, err
		}
	}
	id, err = agessh.NewEncryptedSSHIdentity(public, pem, func() ([]byte, error) {
		if !term.IsTerminal(int(os.Stdin.Fd())) {
			return nil, errors.New("no terminal to ask for the passphrase")
		}
		fmt.Fprintf(os.Stderr, text("Passphrase für %s: ", "passphrase of %s: "), oneLine(name))
		defer fmt.Fprintln(os.Stderr)
		return term.ReadPassword(int(os.Stdin.Fd()))
	})
	return lockedKey{id, name}, err
}

// lockedKey is a key of ssh with a passphrase, in the file name.
type lockedKey struct {
	age.Identity
	name string
}

// Unwrap says of an error that it is one of the key, not of what it is to open.
func (k lockedKey) Unwrap(stanzas []*age.Stanza) ([]byte, error) {
	key, err := k.Identity.Unwrap(stanzas)
	if err == nil || errors.Is(err, age.ErrIncorrectIdentity) {
		return key, err
	}
	return nil, withHint(fmt.Errorf(text("der Schlüssel %s geht mit der Passphrase nicht auf", "the passphrase does not open the key %s"), k.name),
		text("hwcap fragt am Terminal nach ihr; ohne Terminal einen Schlüssel ohne Passphrase nennen", "hwcap asks for it on the terminal; without one, name a key that has no passphrase"))
}

// Beginnings of a file that is encrypted with age, binary and as text
// (age-encryption.org/v1).
const (
	sealedMagic = "age-encryption.org/"
	armorMagic  = armor.Header
)

func isSealed(head []byte) bool {
	return bytes.HasPrefix(head, []byte(sealedMagic)) || bytes.HasPrefix(head, []byte(armorMagic))
}

// unseal returns what r holds, decrypted if it is encrypted with age. A file
// that was cut off, or changed by one bit, ends with an error.
func unseal(r io.Reader, keys []age.Identity) (io.Reader, error) {
	b := bufio.NewReader(r)
	head, _ := b.Peek(len(armorMagic))
	if !isSealed(head) {
		return b, nil
	}
	if len(keys) == 0 {
		return nil, errSealed
	}
	var sealed io.Reader = b
	if bytes.HasPrefix(head, []byte(armorMagic)) {
		sealed = armor.NewReader(b)
	}
	plain, err := age.Decrypt(sealed, keys...)
	none, hinted := (*age.NoIdentityMatchError)(nil), (*hintError)(nil)
	switch {
	case errors.As(err, &hinted):
		return nil, err
	case errors.As(err, &none):
		return nil, withHint(errors.New(text("keiner der Schlüssel öffnet es", "none of the keys opens it")),
			text("den geheimen Schlüssel zu dem öffentlichen nennen, für den es verschlüsselt wurde", "name the secret key of the public one that it was encrypted to"))
	case err != nil:
		return nil, withHint(fmt.Errorf(text("es ist verschlüsselt und lässt sich nicht öffnen: %w", "it is encrypted and cannot be opened: %w"), err),
			text("neu übertragen und die Größe vergleichen", "transfer it again and compare the size"))
	}
	return opened{plain}, nil
}

// errSealed is the error of a file that is opened without a key.
var errSealed = errors.New("it is encrypted with age")

// errBroken is how a reader of unseal ends before the end of the file.
var errBroken = errors.New("the encrypted file breaks off or was changed")

// opened says that an error is one of the encryption.
type opened struct{ r io.Reader }

func (o opened) Read(p []byte) (int, error) {
	n, err := o.r.Read(p)
	if err != nil && err != io.EOF {
		err = errBroken
	}
	return n, err
}

// seal returns a writer that encrypts to all of the recipients, without any w
// itself. Closing it ends the file, and leaves w open.
func seal(w io.Writer, to []age.Recipient) (io.WriteCloser, error) {
	if len(to) == 0 {
		return nopCloser{w}, nil
	}
	return age.Encrypt(w, to...)
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// identityFlag adds --identity to a command that opens a capture.
func identityFlag(cmd *cobra.Command, keyFiles *[]string) {
	cmd.Flags().StringArrayVar(keyFiles, "identity", nil, text(
		"öffnet eine verschlüsselte Erfassung mit dem Schlüssel in `DATEI` (age oder ssh, mehrfach)",
		"opens an encrypted capture with the key in `KEYFILE` (age or ssh, repeatable)"))
}
