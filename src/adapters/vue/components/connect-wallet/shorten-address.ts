/** The first and last characters of an address; keeps the prefix, which names the network. */
export function shortenAddress(address: string): string {
  const kept = address.indexOf(':') + 1 + 5
  return address.length < kept + 3 + 5 ? address : `${address.slice(0, kept)}…${address.slice(-5)}`
}
