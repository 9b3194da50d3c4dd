package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"hwcap/parse"
	"hwcap/parse/fact"
	"hwcap/samples"
)

// openCapture opens what the argument CAPTURE names: a file or folder,
// "sample:NAME" for an embedded capture, "-" for standard input.
func openCapture(arg string) (*fact.Machine, error) {
	m, err := readCapture(arg)
	hinted := (*hintError)(nil)
	if err == nil || errors.As(err, &hinted) {
		return m, err
	}
	if place := (*fs.PathError)(nil); errors.As(err, &place) { // without the name of the system call
		err = fmt.Errorf("%s: %w", arg, place.Err)
	}
	for _, f := range openFailures {
		if errors.Is(err, f.is) {
			if german && f.de != "" {
				err = fmt.Errorf("%s: %s", arg, f.de)
			}
			return nil, withHint(err, text(f.hintDE, f.hintEN))
		}
	}
	return nil, withHint(err, text("es lässt sich nicht lesen; eine Kopie davon oder eine andere Datei öffnen", "it cannot be read; open a copy of it or another file"))
}

func readCapture(arg string) (*fact.Machine, error) {
	if arg == "-" {
		return parse.Read(os.Stdin, parse.Stdin, parse.Options{})
	}
	name, ok := strings.CutPrefix(arg, "sample:")
	if !ok {
		return parse.Open(arg, parse.Options{})
	}
	r, err := samples.Open(name)
	if err != nil {
		return nil, withHint(fmt.Errorf(text("es gibt kein Beispiel %q", "there is no sample %q"), name),
			text("Beispiele: ", "samples: ")+strings.Join(samples.Names(), ", "))
	}
	defer r.Close()
	return parse.Read(r, name+".tar.gz", parse.Options{})
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
	{parse.ErrEncrypted, "es ist verschlüsselt", "zuerst entschlüsseln: age -d -i SCHLÜSSEL DATEI > capture.tar.gz, oder gpg -d DATEI > capture.tar.gz", "decrypt it first: age -d -i KEY FILE > capture.tar.gz, or gpg -d FILE > capture.tar.gz"},
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
