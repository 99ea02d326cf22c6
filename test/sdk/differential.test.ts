import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import * as fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { toHex } from '../../src/model/hex.js'
import { AVAILABLE_NETWORKS } from '../../src/model/network.js'
import type { SdkPort } from '../../src/sdk/port.js'
import { light } from '../../src/sdk/light/light.js'
import { loadSdk } from '../../src/sdk/wasm/load.js'
import { runs } from '../full.js'

/**
 * Random cases, `light` against the WASM SDK: 500, or 10,000 in a full run. Derivations cost the most, so they are
 * few.
 */
const CASES = runs(500, 10_000)
const share = (percent: number): fc.Parameters<unknown> => ({ numRuns: (CASES * percent) / 100 })
const TIMEOUT = CASES * 120

let wasm: SdkPort
let ours: SdkPort
beforeAll(async () => {
  ;[wasm, ours] = await Promise.all([loadSdk(), light.loadPort()])
})

const index = fc.oneof(fc.nat(20), fc.integer({ min: 0, max: 2 ** 31 - 1 }))
const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length })
const phrase = fc.oneof(bytes(16), bytes(32)).map((entropy) => entropyToMnemonic(entropy, wordlist))
const anyMnemonic = fc.oneof(
  phrase,
  fc
    .constantFrom(16, 20, 24, 28, 32)
    .chain(bytes)
    .map((entropy) => entropyToMnemonic(entropy, wordlist)),
  fc.tuple(phrase, fc.nat(23), fc.oneof(fc.constantFrom(...wordlist), fc.string())).map(([words, at, word]) => {
    const list = words.split(' ')
    list[at % list.length] = word
    return list.join(' ')
  }),
  fc
    .tuple(phrase, fc.constantFrom('  ', '\t', '\u3000', '\u00a0', '\n'))
    .map(([words, space]) => words.replace(' ', space)),
)
const text = fc.string({ unit: 'grapheme', maxLength: 60 })
const privateKey = fc
  .oneof({ weight: 9, arbitrary: bytes(32) }, { weight: 1, arbitrary: fc.constant(new Uint8Array(32)) })
  .map(toHex)
/** Hex of every length and first byte that a caller may take for a public key. */
const publicKey = fc.oneof(
  bytes(32).map(toHex),
  fc.tuple(fc.constantFrom('02', '03', '04', '05', '00'), bytes(32)).map(([first, x]) => first + toHex(x)),
  bytes(64).map((point) => `04${toHex(point)}`),
)

/** The result of a call, or that it threw. */
function outcome(call: () => unknown): unknown {
  try {
    return call()
  } catch {
    return 'thrown'
  }
}

function expectEqual(call: (sdk: SdkPort) => unknown): void {
  expect(outcome(() => call(ours))).toEqual(outcome(() => call(wasm)))
}

it('derives the same private, public and extended public keys', { timeout: TIMEOUT }, () => {
  fc.assert(
    fc.property(phrase, text, index, index, fc.boolean(), (words, passphrase, account, at, change) => {
      const secret = { phrase: words, passphrase }
      expectEqual((sdk) => sdk.derivePrivateKey(secret, { account, change, index: at }))
      expectEqual((sdk) => sdk.derivePrivateKey(secret, { account, cosigner: at, change, index: account }))
      expectEqual((sdk) => sdk.derivePublicKeys(secret, { account, change }, at, 2))
      const [purpose, prefix] = change ? ([45, 'ktub'] as const) : ([44, 'kpub'] as const)
      expectEqual((sdk) => sdk.deriveExtendedPublicKey(secret, { account, purpose }, prefix))
    }),
    share(2),
  )
})

it('accepts the same mnemonics', { timeout: TIMEOUT }, () => {
  fc.assert(
    fc.property(anyMnemonic, (words) => expectEqual((sdk) => sdk.isValidMnemonic(words))),
    share(48),
  )
})

it('accepts the same private keys and returns the same public keys', { timeout: TIMEOUT }, () => {
  fc.assert(
    fc.property(privateKey, (key) => expectEqual((sdk) => sdk.publicKey(key))),
    share(15),
  )
})

it('accepts the same public keys and returns the same addresses', { timeout: TIMEOUT }, () => {
  fc.assert(
    fc.property(publicKey, fc.constantFrom(...AVAILABLE_NETWORKS), (key, network) =>
      expectEqual((sdk) => sdk.address(key, network)),
    ),
    share(25),
  )
})

it('verifies the signatures of the other, and refuses the same altered ones', { timeout: TIMEOUT }, () => {
  fc.assert(
    fc.property(text, bytes(32), fc.nat(511), fc.boolean(), (message, key, bit, byLight) => {
      const [signer, verifier] = byLight ? [ours, wasm] : [wasm, ours]
      const secret = toHex(key)
      const { compressed, xOnly } = signer.publicKey(secret)
      const signature = signer.signMessage(message, secret)
      expect(verifier.verifyMessage(message, signature, compressed)).toBe(true)
      expect(verifier.verifyMessage(message, signature, xOnly)).toBe(true)
      const altered = (BigInt(`0x${signature}`) ^ (1n << BigInt(bit))).toString(16).padStart(128, '0')
      expectEqual((sdk) => sdk.verifyMessage(message, altered, xOnly))
      expectEqual((sdk) => sdk.verifyMessage(`${message}.`, signature, xOnly))
      expectEqual((sdk) => sdk.verifyMessage(message, `${signature}00`, xOnly))
    }),
    share(10),
  )
})
