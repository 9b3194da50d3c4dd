package redact

import "testing"

func TestShares(t *testing.T) {
	testDrawn(t, []drawn{
		{"mounted", dmesg, "CIFS: Attempting to mount //«fileserv3»/«abrechnung»\nCIFS: Attempting to mount \\\\«fileserv3»\\«abrechnung»"},
		{"failed", dmesg, "CIFS: VFS: \\\\«fileserv3» has not responded in 180 seconds. Reconnecting..."},
		{"of an address", dmesg, "CIFS: VFS: \\\\«192.0.2.9»\\«abrechnung» BAD_NETWORK_NAME"},
		{"in fstab", other, "//«fileserv3».«firma-nord.test»/«abrechnung» /mnt cifs rw 0 0"},
		{"NFS in fstab", other, "«fileserv3»:/export /mnt nfs4 rw 0 0\n«192.0.2.9»:/export on /mnt type nfs (rw)"},
		{"root over NFS", dmesg, "Command line: root=/dev/nfs nfsroot=«fileserv3»:/srv/nfs,v4 ro\nCommand line: root=nfs:«fileserv3»:/srv/nfs ro"},
		{"no share", dmesg, "CIFS: No dialect specified on mount, see https://wiki.samba.org/\nNFS: Registering the id_resolver key type\n" +
			"cifs: x // a comment"},
		{"header of a packet", dmesg, "ll header: 00000000: «00 00 5e 00 53 2a» «00 00 5e 00 53 2b» 08 00\nll header: «00:00:5e:00:53:2a»:«00:00:5e:00:53:2b»:08:00"},
		{"broadcast", dmesg, "ll header: 00000000: ff ff ff ff ff ff «00 00 5e 00 53 2b» 08 06"},
	})
}
