// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { useChain } from '../../../src/adapters/vue/composables/useChain.js'
import { useCrypto } from '../../../src/adapters/vue/composables/useCrypto.js'
import { VueChain } from '../../../src/adapters/vue/plugin/plugin.js'
import { ChainNotReadyError } from '../../../src/errors/not-ready-error.js'
import hd from '../../fixtures/consensus/hd.json' with { type: 'json' }
import { mountApp } from './with-app.js'

const setup = () => ({ chain: useChain(), crypto: useCrypto() })
const mountSigner = () => mountApp(setup, (app) => app.use(VueChain, { network: 'simnet', autoConnect: false }))

const MNEMONIC = hd.vectors[0]?.phrase ?? ''

describe('useCrypto', () => {
  it('throws before WASM is ready, except methods that work without it', () => {
    const { result } = mountSigner()
    const { generateMnemonic, isValidMnemonic, kaspaToSompi, currencyUnit, isValidAddress } = result.crypto
    expect(() => generateMnemonic(12)).toThrow(ChainNotReadyError)
    expect(() => isValidMnemonic(MNEMONIC)).toThrow(ChainNotReadyError)
    expect([kaspaToSompi('1.5'), currencyUnit('simnet'), isValidAddress('kaspa:qq')]).toEqual([
      150_000_000n,
      'SKAS',
      false,
    ])
  })

  it('creates keys and signatures once WASM is ready, as plain objects', async () => {
    const { result } = mountSigner()
    await result.chain.init()
    const { generateMnemonic, mnemonicToKeypair, signMessage, verifyMessage } = result.crypto
    const { phrase, wordCount } = generateMnemonic()
    const keypair = mnemonicToKeypair(phrase, 'simnet')
    const signed = signMessage('hello', keypair.privateKeyHex)
    expect([wordCount, phrase.split(' ').length]).toEqual([24, 24])
    expect(verifyMessage('hello', signed.signature, keypair.publicKeyHex)).toBe(true)
    expect(structuredClone({ keypair, signed })).toEqual({ keypair, signed })
  })
})
