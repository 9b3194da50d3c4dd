package redact

import "testing"

func TestNetworkLogs(t *testing.T) {
	testDrawn(t, []drawn{
		{"connections", dmesg, "NetworkManager[6]: device (wlp3s0): Activation: starting connection '«Waldbox 7590 QX»' («5e3fda33-1a2b-4c5d-8e9f-0a1b2c3d4e5f»)\n" +
			"NetworkManager[6]: policy: set '«Waldbox 7590 QX»' (wlp3s0) as default for IPv4 routing and DNS\n" +
			"NetworkManager[6]: device (docker0): Activation: starting connection 'docker0' («5e3fda33-1a2b-4c5d-8e9f-0a1b2c3d4e5f»)\n" +
			"NetworkManager[6]: policy: auto-activating connection 'Wired connection 1'"},
		{"SSIDs", dmesg, "wpa_supplicant[7]: wlp3s0: Trying to associate with SSID '«Café Mond»'\nNetworkManager[6]: Config: added 'ssid' value '«Waldbox»'"},
		{"wireless network", dmesg, `NetworkManager[6]: Activation: (wifi) Stage 2 of 5: Connected to wireless network "«Waldbox 2»"`},
		{"connection that is none", dmesg, "connection1:0: detected conn error (1020)\nset 'x' (y)"},
		{"names of the host", dmesg, "systemd-hostnamed[9]: Changed host name to '«wurzelhost»'\nsystemd-resolved[9]: Using system hostname '«buchhost»'.\n" +
			"avahi-daemon[9]: Server startup complete. Host name is «lindhost».local. Local service cookie is 1234567890."},
		{"client of dnsmasq", dmesg, "dnsmasq-dhcp[30]: DHCPACK(br0) «192.0.2.23» «00:00:5e:00:53:2a» «annikas-phone»"},
		{"client of dhcpd", dmesg, "dhcpd: DHCPACK on «192.0.2.23» to «00:00:5e:00:53:2a» («annikas-phone») via br0\n" +
			"dhcpd: DHCPREQUEST for «192.0.2.23» from «00:00:5e:00:53:2b» via br0"},
		{"mail", dmesg, "postfix/smtp[9]: to=<«anna.schmidt»@«firma-nord.test»>, relay=«mx1».«firma-nord.test»[«192.0.2.25»]:25, delay=1, relay=none, relay=local\n" +
			"mdadm[9]: mail sent to «anna.schmidt»@«firma-nord.test»"},
		{"mail in a text", other, "Reply-To: Anna <«anna+pci»@«firma-nord.test»>."},
		{"what is no mail", dmesg, "getty@tty1.service: Succeeded.\nuser@1000.service modprobe@drm.service from a@b.socket\nDDR4 @2133 from 1@1.2\n" +
			"wireguard: Copyright (C) 2015-2019 Author of It <author@example.org>.\ndevice-mapper: ioctl: 4.47.0-ioctl initialised: dm-devel@example.org\n" +
			"please report to linux-usb@vger.kernel.org"},
		{"mail of builders", other, "Linux version 6.1.0 (debian-kernel@lists.debian.org) (gcc-12) #1 SMP\nsee linux-pci@vger.kernel.org"},
		{"servers of time", dmesg, "chronyd[9]: Selected source «192.0.2.123» («ntp».«firma-nord.test»)\n" +
			"systemd-timesyncd[9]: Contacted time server «192.0.2.123»:123 («ntp».«firma-nord.test»)."},
		{"parenthesis behind an address", dmesg, "addr «192.0.2.123» (eth0)"},
	})
}
