package redact

import "testing"

func TestSecretsOfCommands(t *testing.T) {
	const watched = "samples/links.jsonl"
	testDrawn(t, []drawn{
		{"option", other, "backup --user x --password «hunter2x» --verbose --api-key «k1l2m3n4»"},
		{"option in a row of JSON", watched, `{"command":["iperf3","-t","10","--password","«geheim57»","-R"]}`},
		{"options with another meaning", other, "tool --password-file /etc/pw --token --verbose --key=/etc/key --pin"},
		{"shell within a row", watched, `{"command":["sh","-c","mysql -p«geheim56» -e 'select 1'"]}`},
		{"password of sshpass", other, "+ sshpass -p «geheim58» ssh root@x lspci\n+ sshpass -p«geheim59» scp"},
		{"ports", other, "ssh -p 2222 x; mysql -p -e 'select 1'; curl -u"},
		{"login of curl", other, "curl -s -u «marlene»:«geheim55» http://x/\ncurl --user «marlene»:«geheim55» x"},
		{"environment", other, "AWS_SECRET_ACCESS_KEY=«wJalrXUtnFEMIK7MDENG/bPxRfiCYEXAMPLEKEY»\nexport AWS_ACCESS_KEY_ID=«AKIAIOSFODNN7EXAMPLE»\nPGPASSWORD=«geheim60» psql\nMYSQL_PWD=«geheim61»"},
		{"header of HTTP", other, "Authorization: Bearer «eyJhbGciOi.abc_def-1»\n> Authorization: Basic «bWFybGVuZTp4»"},
		{"words that announce nothing", dmesg, "modem: bearer 0 connected, basic mode, key press"},
		{"passwords of an installer", "proc/cmdline", "inst.vnc inst.vncpassword=«geheim12» auth=«geheim84» quiet"},
		{"command line in the kernel log", dmesg, "[    0.000000] Kernel command line: auth=«geheim84» ro\n[    1.000000] x: auth=sys"},
	})
}
