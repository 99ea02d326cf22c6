/** What a cosigner's link says after its `#`: never sent to a server. It has no private key. */
export function readLink(hash) {
  const fields = new URLSearchParams(hash.slice(1))
  const read = (name) => {
    const value = fields.get(name)
    if (value === null) throw new Error(`The link has no ${name}: take the whole link, with what follows the #`)
    return value
  }
  const [name, network, node, account, own] = ['name', 'network', 'node', 'account', 'own'].map(read)
  return { name, network, node, account, own }
}
