package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"filippo.io/age"

	"hwcap/parse"
	"hwcap/parse/fact"
	"hwcap/samples"
)

// openCapture opens what the argument CAPTURE names: a file or folder,
// "sample:NAME" for an embedded capture, "-" for standard input. One that is
// encrypted is opened with one of the keys in the files of --identity.
func openCapture(arg string, keyFiles ...string) (*fact.Machine, error) {
	keys, err := identities(keyFiles)
	if err != nil {
		return nil, err
	}
	m, err := readCapture(arg, keys)
	if err != nil {
		return nil, explainOpen(arg, err)
	}
	return m, nil
}

// explainOpen adds the next step to an error of opening arg.
func explainOpen(arg string, err error) error {
	if hinted := (*hintError)(nil); errors.As(err, &hinted) {
		return err
	}
	if place := (*fs.PathError)(nil); errors.As(err, &place) { // without the name of the system call
		err = fmt.Errorf("%s: %w", arg, place.Err)
	}
	if said, command, ok := strings.Cut(err.Error(), innerArchive); ok && errors.Is(err, parse.ErrInside) {
		if german {
			said = arg + ": darin sind nur Archive"
		}
		return withHint(errors.New(said), text("jedes Archiv für sich öffnen", "open each archive by itself")+innerArchive+command)
	}
	for _, f := range openFailures {
		if errors.Is(err, f.is) {
			if german && f.de != "" {
				err = fmt.Errorf("%s: %s", arg, f.de)
			}
			return withHint(err, text(f.hintDE, f.hintEN))
		}
	}
	return withHint(err, text("es lässt sich nicht lesen; eine Kopie davon oder eine andere Datei öffnen", "it cannot be read; open a copy of it or another file"))
}

// innerArchive stands in an error of parse.ErrInside before the first archive
// of a folder, as an argument.
const innerArchive = ": hwcap report "

func readCapture(arg string, keys []age.Identity) (*fact.Machine, error) {
	if arg == "-" {
		r, err := unseal(os.Stdin, keys)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", parse.Stdin, err)
		}
		return parse.Read(r, parse.Stdin, parse.Options{})
	}
	if name, ok := strings.CutPrefix(arg, samplePrefix); ok {
		r, err := openSample(name)
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return parse.Read(r, name+".tar.gz", parse.Options{})
	}
	sealed, err := openSealed(arg)
	if err != nil || sealed == nil {
		return parse.Open(arg, parse.Options{}) // which says what is wrong
	}
	defer sealed.Close()
	r, err := unseal(sealed, keys)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", arg, err)
	}
	return parse.Read(r, arg, parse.Options{})
}

const samplePrefix = "sample:"

func openSample(name string) (io.ReadCloser, error) {
	r, err := samples.Open(name)
	if err != nil {
		return nil, withHint(fmt.Errorf(text("es gibt kein Beispiel %q", "there is no sample %q"), name),
			text("Beispiele: ", "samples: ")+strings.Join(samples.Names(), ", "))
	}
	return r, nil
}

// openSealed opens a file that is encrypted with age, and returns nil for
// everything else.
func openSealed(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	var head [len(armorMagic)]byte
	if n, _ := f.ReadAt(head[:], 0); !isSealed(head[:n]) {
		f.Close()
		return nil, nil
	}
	return f, nil
}

// openFailures says in both languages why something could not be opened, and
// what to do then. The English words are those of the error itself.
var openFailures = []struct {
	is                 error
	de, hintDE, hintEN string
}{
	{fs.ErrNotExist, "nicht gefunden", "Dateiname prüfen; mitgelieferte Erfassungen heißen sample:NAME", "check the file name; captures that come with hwcap are called sample:NAME"},
	{fs.ErrPermission, "darf nicht gelesen werden", "Leserecht prüfen", "check the permission to read it"},
	{parse.ErrEmpty, "es ist nichts darin", "neu erfassen oder neu übertragen: sudo hwcap collect", "capture or transfer it again: sudo hwcap collect"},
	{parse.ErrNewer, "das Format der Erfassung ist neuer als dieses hwcap", "ein neueres hwcap verwenden", "use a newer hwcap"},
	{parse.ErrTooLarge, "größer, als hwcap liest", "das ist keine gewöhnliche Erfassung; nur den nötigen Ordner öffnen", "this is no usual capture; open only the folder that matters"},
	{parse.ErrCutOff, "bricht vor der ersten Angabe ab", "neu übertragen und die Größe vergleichen", "transfer it again and compare the size"},
	{parse.ErrPacked, "ein Archiv, das hwcap nicht auspackt", "zuerst auspacken, dann die Datei oder den Ordner daraus öffnen", "unpack it first, then open the file or folder that was in it"},
	{parse.ErrInside, "darin ist nur ein Archiv", "dieses Archiv selbst öffnen: hwcap report ORDNER/ARCHIV", "open that archive itself: hwcap report FOLDER/ARCHIVE"},
	{errSealed, "es ist mit age verschlüsselt", "mit dem Schlüssel öffnen: --identity SCHLÜSSELDATEI", "open it with the key: --identity KEYFILE"},
	{parse.ErrEncrypted, "es ist verschlüsselt", "zuerst mit dem Programm entschlüsseln, das es verschlüsselt hat: gpg -d DATEI > capture.tar.gz", "decrypt it first with the program that encrypted it: gpg -d FILE > capture.tar.gz"},
	{errBroken, "die verschlüsselte Datei bricht ab oder wurde verändert", "neu übertragen und die Größe vergleichen", "transfer it again and compare the size"},
	{parse.ErrPassword, "der Inhalt ist verschlüsselt", "zuerst mit dem Passwort auspacken, dann den Ordner öffnen", "unpack it with its password first, then open the folder"},
	{parse.ErrPicture, "es ist ein Bild", "den Text selbst schicken statt eines Bildes davon: sudo lspci -vvv > lspci.txt", "send the text itself, not a picture of it: sudo lspci -vvv > lspci.txt"},
	{parse.ErrDocument, "es ist ein Dokument", "den Text daraus in eine Textdatei (.txt) kopieren und diese öffnen", "copy the text out of it into a plain text file (.txt) and open that"},
	{parse.ErrMail, "es ist eine E-Mail mit Anhang", "zuerst den Anhang speichern, dann diesen öffnen", "save the attachment first, then open that"},
	{parse.ErrUnknown, "nichts darin, was hwcap kennt",
		"hwcap liest seine eigenen Erfassungen, die von sosreport, supportconfig, hw-probe und insights, und einzeln, als Ordner oder Archiv die Ausgabe von lspci (am besten sudo lspci -vvv), dmesg, journalctl -k, dmidecode, ras-mc-ctl, ethtool, cat /proc/crypto und anderen",
		"hwcap reads its own captures, those of sosreport, supportconfig, hw-probe and insights, and alone, in a folder or an archive the output of lspci (best of all sudo lspci -vvv), dmesg, journalctl -k, dmidecode, ras-mc-ctl, ethtool, cat /proc/crypto and others"},
}

// cutOff tells the user that the archive broke off; the exit code says it to
// scripts.
func cutOff(m *fact.Machine) error {
	if !m.Capture.CutOff {
		return nil
	}
	fmt.Fprintln(os.Stderr, text("Hinweis: das Archiv bricht mittendrin ab; gelesen ist, was davor stand",
		"note: the archive breaks off in the middle; what came before was read"))
	return exitStatus(exitIncomplete)
}
