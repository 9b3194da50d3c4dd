// Package leak searches a capture for identities that redaction missed.
//
// It knows nothing of how redaction works, only what its pseudonyms look like
// (capture/FORMAT.md), and looks in independent ways:
//
//   - [ByShape]: what looks like an identity wherever it stands: MAC addresses,
//     UUIDs, IP addresses, WWNs, NQNs, and binary ones where netlink messages
//     and configuration space hold them.
//   - [ByEntropy]: words that look drawn at random in lines that speak of
//     serial numbers and the like.
//   - [ByLabel]: what stands behind words that announce an identity.
//   - [ByOriginal]: every value that the first three find in the original, as
//     text, raw bytes, reversed, in hexadecimal digits and in base64.
//
// All members are searched as they are without compression, and their names.
package leak
