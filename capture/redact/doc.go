// Package redact replaces the identities in a capture by pseudonyms, so that
// the capture can be mailed and published.
//
//	r := redact.New(key)
//	r.Learn("cmd/dmesg.txt", src)        // first every member,
//	r.Rewrite("cmd/dmesg.txt", dst, src) // then every member again
//
// [Archive] does both over a whole tar stream and mends the manifest.
//
// The first pass learns what one member names and another only uses: host and
// user names, serial numbers, MAC addresses. The second replaces, what was
// learned also as octets, in either order, and as hexadecimal digits. A value that
// could as well be a counter or a word (fewer than ten digits alone, letters
// alone, fewer than four different ones) is replaced where it is announced, and
// not sought elsewhere. A line stays
// a line, and what is evidence stays as it is: PCI addresses, ids, versions,
// flags, counters, times, register values. Every member of a capture has a
// stance ([stanceOf]) that says which grammar applies to it.
//
// # Pseudonyms
//
// The same value has the same pseudonym, whatever form it comes in: pseudonyms
// are made by HMAC-SHA256 under the key, over the kind of value and the value
// in its plainest form. Whoever has the capture but not the key cannot tell
// whether a guess is right. Without the key a pseudonym can be told from a true
// value, so that redacting twice changes nothing, whatever the key:
//
//   - MAC addresses begin with 06:68:77 (locally administered), with any
//     separator or none, after enx and wlx, and as the last part of a UUID.
//   - In EUI-64 form (Device Serial Number) they are 06-68-77-ff-fe-xx-xx-xx,
//     with the middle that was there; as an IPv6 interface identifier
//     0468:77ff:fexx:xxxx. Where the bytes were reversed they still are.
//     A Device Serial Number without such a middle is 06-68-77-xx-xx-xx-xx-xx.
//   - Long hexadecimal identities (WWN, EUI-64, NGUID, machine id, PPIN) keep
//     their first digit and have 066877 behind it.
//   - UUIDs are of version 8 (RFC 9562): xxxxxxxx-6877-8xxx-8xxx-xxxxxxxxxxxx.
//   - IPv4 addresses are in 240.0.0.0/8 (reserved), IPv6 addresses in
//     2001:db8:6877::/48 (documentation), link-local ones fe80::6877:x:x:x.
//   - Serial numbers and the like keep length and classes of characters and
//     end in a check, see [isSealed]; a short one has digits added.
//   - Names are host-, dom-, user-, vg-, pool-, name- or ssid- and ten letters
//     of g to z that are sealed likewise; a domain ends in .example.
//   - Keys, passwords and passphrases are all redacted-by-hwcap.
//   - Where neither fits into a field of fixed length, it is filled with X.
//
// Lines of firewalls and of the audit log are emptied behind their time, and
// archives inside a capture wholly. Not looked into are texts in UTF-16 and what
// pictures and documents hold.
//
// A host is often called like its model: names of hosts and users are not
// sought where only models stand, as in dmidecode, lspci and the DMI line of a
// kernel. A name that the kernel gives a device (nvme0) or a driver is sought
// nowhere. What follows a mail's @, and the servers of time, are replaced only
// where they stand: many machines share them.
//
// Zero, all ones, broadcast, loopback, well-known multicast addresses and the
// placeholders of firmware ("Default string") are no identities and stay.
package redact
