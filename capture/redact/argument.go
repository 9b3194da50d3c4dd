package redact

import "bytes"

// An argument of a command line is a word of a shell, or a text in a row of
// JSON, as in the command that a capture watched.

// argument returns where the argument at line[at:] begins and ends, behind what
// parts it from the one before.
func (t *text) argument(at int) (from, to int) {
	s := t.line[at:min(len(t.line), at+maxValue)]
	word := bytes.TrimLeft(s, " \t\"',=")
	from = at + len(s) - len(word)
	if end := bytes.IndexAny(word, " \t\"',;\\"); end >= 0 {
		word = word[:end]
	}
	return from, from + len(word)
}

// hideArgument hides the secret at line[from:to], unless it is another option.
func (t *text) hideArgument(from, to int) {
	if from < to && t.line[from] != '-' && t.line[from] != '|' && t.covered(from) == from {
		asSecret(t, from, to)
	}
}

// secretOption reads "--password hunter2".
func secretOption(t *text, from, to int) {
	start := from
	for start > 0 && from-start < maxValue && (isPart(t.line[start-1]) || joins(t.line[start-1])) {
		start--
	}
	if !bytes.HasPrefix(t.line[start:from], []byte("--")) || to == len(t.line) || bytes.IndexByte([]byte(" \t\"'"), t.line[to]) < 0 {
		return
	}
	t.hideArgument(t.argument(to))
}

// secretOptions are of programs that take a secret behind a letter.
var secretOptions = []struct {
	program, option string
	attached        bool // nothing stands between the option and the secret
	login           bool // it is NAME:PASSWORD
}{
	{program: "SSHPASS", option: "-p"},
	{program: "SSHPASS", option: "-p", attached: true},
	{program: "MYSQL", option: "-p", attached: true},
	{program: "MYSQLDUMP", option: "-p", attached: true},
	{program: "MYSQLADMIN", option: "-p", attached: true},
	{program: "MARIADB", option: "-p", attached: true},
	{program: "CURL", option: "-u", login: true},
	{program: "CURL", option: "--user", login: true},
	{program: "IPMITOOL", option: "-P"},
	{program: "LDAPSEARCH", option: "-w"},
}

// secretBehind is a rule for an option of the program whose name was found.
func secretBehind(option string, attached, login bool) rule {
	return func(t *text, from, to int) {
		end := min(len(t.line), to+maxValue)
		for at := to; ; {
			i := bytes.Index(t.line[at:end], []byte(option))
			if i < 0 {
				return
			}
			at += i + len(option)
			before := t.line[at-len(option)-1]
			if at == len(t.line) || before != ' ' && before != '"' && before != '\'' {
				continue
			}
			if parted := bytes.IndexByte([]byte(" \t\"'"), t.line[at]) >= 0; parted == attached {
				continue
			}
			from, to := t.argument(at)
			if login {
				colon := bytes.IndexByte(t.line[from:to], ':')
				if colon < 0 {
					continue
				}
				t.foundName(from, from+colon, "user", User)
				from += colon + 1
			}
			t.hideArgument(from, to)
			return
		}
	}
}

// authorization reads what follows Bearer and Basic in a header of HTTP (RFC
// 9110 section 11.4).
func authorization(t *text, from, to int) {
	const before = "uthorization: "
	at, end := t.argument(to)
	if at > to && (bytes.HasSuffix(t.line[:from], []byte(before)) || end-at >= 16) {
		t.hideArgument(at, end)
	}
}

// onCommandLine is a rule for a parameter that means a secret only to the
// kernel and what it starts.
func onCommandLine(take rule) rule {
	const far = 128 // "Kernel command line: " behind time and host
	return func(t *text, from, to int) {
		if t.rules.has(command) || bytes.Contains(t.line[:min(far, from)], []byte("ommand line: ")) {
			take(t, from, to)
		}
	}
}

func init() {
	const any = labels | logs
	for _, word := range []string{"PASSWORD", "PASS", "PASSWD", "PASSPHRASE", "PASSCODE", "TOKEN", "SECRET", "KEY", "APIKEY", "PIN"} {
		on(word, secretOption)
	}
	for _, o := range secretOptions {
		on(o.program, secretBehind(o.option, o.attached, o.login))
	}
	on("BEARER", authorization)
	on("BASIC", authorization)
	for _, word := range []string{"VNCPASSWORD", "PGPASSWORD", "SSHPASS", "RDPPASSWORD"} {
		on(word, label("", "=", any, asSecret))
	}
	on("PWD", label("MYSQL", "=", any, asSecret))
	on("KEY", label("SECRET ACCESS", ":=", any, asSecret), label("ACCESS", "=", any, asSecret), label("SECRET", ":=", any, asSecret))
	on("ID", label("ACCESS KEY", ":=", any, asSecret))
	on("AUTH", onCommandLine(label("", "=", any, asSecret)))
}
