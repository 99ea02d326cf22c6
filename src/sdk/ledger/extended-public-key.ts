import { HDKey } from '@scure/bip32'
import { ChainWalletError } from '../../errors/wallet-error.js'
import { EXTENDED_KEY_VERSIONS } from '../../model/network.js'
import { fromHex } from '../../model/hex.js'
import { toDeviceError } from './device-error.js'
import type { LedgerApp } from './load-app.js'

const OPERATION = 'extendedPublicKey'
const HARDENED = 2 ** 31

/** The extended public key of an account of the device, kpub. Rejects with `ChainWalletError`. */
export async function readExtendedPublicKey({ app }: Pick<LedgerApp, 'app'>, account: number): Promise<string> {
  const read = async (path: string): Promise<KeyReply> => {
    const reply = await app.getAddress(path).catch((cause: unknown) => {
      throw toDeviceError(OPERATION, cause)
    })
    return decode(reply.publicKey)
  }
  const [coin, key] = [await read("44'/111111'"), await read(`44'/111111'/${account}'`)]
  const versions = { public: EXTENDED_KEY_VERSIONS.kpub, private: 0 }
  const { fingerprint: parentFingerprint } = new HDKey({ versions, ...coin })
  const index = HARDENED + account
  return new HDKey({ versions, depth: 3, index, parentFingerprint, ...key }).publicExtendedKey
}

interface KeyReply {
  readonly publicKey: Uint8Array
  readonly chainCode: Uint8Array
}

/** 65 bytes of the key, uncompressed, then 32 of the chain code; the length is before each. */
function decode(reply: string): KeyReply {
  const [, x, y, chainCode] = /^4104(.{64})(.{64})20(.{64})$/.exec(reply) ?? []
  if (x === undefined || y === undefined || chainCode === undefined)
    throw new ChainWalletError(OPERATION, new Error(`The app returned ${reply.length / 2} bytes`), {
      code: 'unexpected-response',
      hint: 'Update the Kaspa app on the device.',
    })
  const isOdd = Number.parseInt(y.slice(-1), 16) % 2 === 1
  return { publicKey: fromHex(`${isOdd ? '03' : '02'}${x}`), chainCode: fromHex(chainCode) }
}
