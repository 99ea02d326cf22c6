import { HDKey } from '@scure/bip32'
import { toHex } from '../../model/hex.js'
import type { KeyChain, KeyPath, MnemonicSecret } from '../port.js'
import { toSeed } from './mnemonic.js'

/** The private key at `path`. */
export const derivePrivateKey = (secret: MnemonicSecret, path: KeyPath): string =>
  atChain(secret, path, (chain) => toHex(existing(chain.deriveChild(path.index).privateKey)))

/** The compressed public keys of `count` indexes of a chain, from `start` on. */
export const derivePublicKeys = (
  secret: MnemonicSecret,
  chain: KeyChain,
  start: number,
  count: number,
): readonly string[] =>
  atChain(secret, chain, (parent) =>
    Array.from({ length: count }, (_, position) => toHex(existing(parent.deriveChild(start + position).publicKey))),
  )

/** Derives a chain, reads from it, and overwrites seed and private keys in memory. */
function atChain<Data>(secret: MnemonicSecret, { account, change }: KeyChain, read: (chain: HDKey) => Data): Data {
  const seed = toSeed(secret)
  const master = HDKey.fromMasterSeed(seed)
  const chain = master.derive(`m/44'/111111'/${account}'/${change ? 1 : 0}`)
  try {
    return read(chain)
  } finally {
    seed.fill(0)
    master.wipePrivateData()
    chain.wipePrivateData()
  }
}

/** A derived node of a private tree has both keys; the types of scure do not say so. */
function existing(key: Uint8Array | null): Uint8Array {
  if (key === null) throw new Error('The derived key is missing')
  return key
}
