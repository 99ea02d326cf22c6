import { HDKey } from '@scure/bip32'
import { expect, it } from 'vitest'
import { childKeysOf } from '../../src/model/keys.js'

/** Of BIP-32, test vector 2: chain m/0, whose public derivation is stated. */
const PARENT =
  'xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH'

it('derives the public keys that @scure/bip32 derives', () => {
  const node = HDKey.fromExtendedKey(PARENT)
  const keyAt = childKeysOf(node)
  for (const index of [0, 1, 7, 255, 256, 65_536, 2 ** 31 - 1])
    expect(keyAt(index)).toEqual(node.deriveChild(index).publicKey)
})

it('needs the chain code', () => {
  const { publicKey } = HDKey.fromExtendedKey(PARENT)
  expect(() => childKeysOf(new HDKey({ publicKey: publicKey! }))).toThrow(TypeError)
})
