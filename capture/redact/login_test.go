package redact

import "testing"

func TestLogins(t *testing.T) {
	const key = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg"
	testDrawn(t, []drawn{
		{"who opened a session", dmesg, "sudo: pam_unix(sudo:session): session opened for user root(uid=0) by «annika»(uid=1000)"},
		{"session of an older PAM", dmesg, "su: pam_unix(su:session): session opened for user root by (uid=0)"},
		{"failed authentication", dmesg, "pam_unix(sshd:auth): authentication failure; logname= uid=0 euid=0 tty=ssh ruser= rhost=«198.51.100.7»  user=«annika»"},
		{"failed authentication in an attached log", other, "authentication failure; logname= uid=0 euid=0 tty=pts/1 ruser=«annika» rhost=  user=root"},
		{"cron", dmesg, "CRON[17]: («annika») CMD (backup.sh)\nCRON[18]: (root) CMD (run-parts)"},
		{"su", dmesg, "su[22]: (to root) «annika» on pts/3\nsu: FAILED SU (to «bertram») «annika» on pts/3"},
		{"sudo", dmesg, "sudo[99]:   «annika» : TTY=pts/0 ; PWD=/tmp ; USER=root ; COMMAND=/usr/bin/lspci -vvv"},
		{"login", dmesg, "login[9]: LOGIN ON tty1 BY «annika»"},
		{"accepted by sshd", dmesg, "sshd[4]: Accepted publickey for «annika.m» from «192.0.2.44» port 50022 ssh2: ED25519 SHA256:«" + key + "»"},
		{"refused by sshd", dmesg, "sshd[4]: Failed password for invalid user «oracle7» from «203.0.113.77» port 4022 ssh2\n" +
			"sshd[4]: Invalid user «oracle8» from «203.0.113.77» port 4022\n" +
			"sshd[4]: Connection closed by authenticating user «oracle9» «203.0.113.77» port 4022 [preauth]"},
		{"old fingerprint", dmesg, "ssh2: RSA MD5:«00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee:0f»"},
		{"key on the console", dmesg, "ci-info: ssh-ed25519 «AAAAC3NzaC1lZDI1NTE5AAAAIBnotARealKeyButAsLongAsOneWouldBe0000000000» «annika»@«wurzelhost»"},
		{"owner of a fingerprint", dmesg, "ci-info: 256 SHA256:«" + key + "» «annika»@«wurzelhost» (ED25519)"},
		{"slices", dmesg, "systemd[1]: Created slice User Slice of «annika».\nsystemd[1]: Created slice user-1000.slice - User Slice of UID 1000."},
		{"new user", dmesg, "useradd[7]: new user: name=«annika», UID=1000, GID=1000, home=/home/«annika», shell=/bin/bash\nuseradd[7]: add '«bertram»' to group 'sudo'"},
		{"unlocked", dmesg, "polkitd[5]: Operator of unix-session:2 successfully authenticated as unix-user:«annika» to gain authorization"},
		{"memory of users", dmesg, "perf: interrupt took too long for user space\nx: invalid user buffer\ny: waiting for device from 0000:01:00.0 by driver (uid=0)"},
		{"sums that are no fingerprints", dmesg, "ima: SHA256:0123 alg\nkey RSA AAAA\ndigest sha256:9f2b7c9f2b7c9f2b7c9f2b7c9f2b7c9f2b7c9f2b7c9f2b7c9f2b7c9f2b7cab12"},
	})
}
