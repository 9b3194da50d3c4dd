package leak

import "strings"

// spoken are what a secret stands behind on a command line, in an environment
// and in a header of HTTP. Before it stands no part of a word.
var spoken = []struct {
	before string
	after  string // further on, directly before the secret
	login  bool   // NAME:PASSWORD
}{
	{before: "sshpass ", after: "-p "},
	{before: "sshpass ", after: "-p"},
	{before: "mysql ", after: " -p"},
	{before: "mysqldump ", after: " -p"},
	{before: "curl ", after: "-u ", login: true},
	{before: "curl ", after: "--user ", login: true},
	{before: "ipmitool ", after: " -P "},
	{before: "Authorization: Bearer "},
	{before: "Authorization: Basic "},
	{before: "AWS_SECRET_ACCESS_KEY="},
	{before: "AWS_ACCESS_KEY_ID="},
	{before: "PGPASSWORD="},
	{before: "MYSQL_PWD="},
	{before: "SSHPASS="},
	{before: "inst.vncpassword="},
}

// secretWords end the options whose argument is a secret.
var secretWords = []string{"password", "passwd", "passphrase", "pass", "token", "secret", "key", "pin"}

// arguments finds secrets on command lines.
func arguments(line string, found hit) {
	tell := func(value string) {
		if value != "" && value[0] != '-' && value[0] != '/' && !harmless(value) {
			found(ByLabel, "secret", value)
		}
	}
	for _, s := range spoken {
		before, rest, ok := strings.Cut(line, s.before)
		if !ok || before != "" && isWord(before[len(before)-1]) {
			continue
		}
		if s.after != "" {
			if _, rest, ok = strings.Cut(" "+rest[:min(len(rest), longestName)], s.after); !ok || strings.HasPrefix(rest, " ") {
				continue
			}
		}
		value := firstArgument(rest)
		if s.login {
			if _, value, ok = strings.Cut(value, ":"); !ok {
				continue
			}
		}
		tell(value)
	}
	for rest, ok := line, true; ; {
		if _, rest, ok = strings.Cut(rest, "--"); !ok {
			return
		}
		end := 0
		for end < len(rest) && (isWord(rest[end]) || rest[end] == '-') {
			end++
		}
		for _, word := range secretWords {
			if name := strings.ToLower(rest[:end]); strings.HasSuffix(name, word) && (name == word || strings.HasSuffix(name, "-"+word)) {
				if value := strings.TrimLeft(rest[end:], " \"',"); len(value) < len(rest)-end {
					tell(firstArgument(value))
				}
				break
			}
		}
		rest = rest[end:]
	}
}

// firstArgument returns the first word of what an option stands before.
func firstArgument(s string) string {
	s = s[:min(len(s), longestName)]
	if end := strings.IndexAny(s, " \t\"',;|\\"); end >= 0 {
		s = s[:end]
	}
	return s
}
