import { describe, expect, it } from 'vitest'
import { deriveAccounts, TEST_MNEMONIC } from '../../src/devnode/accounts.js'
import hd from '../fixtures/consensus/hd.json'

const vector = hd.vectors.find(({ phrase, passphrase }) => phrase === TEST_MNEMONIC && passphrase === '')

describe('devnode accounts', () => {
  it('are derived from the test mnemonic as in other wallets', () => {
    const addresses = deriveAccounts(3, 'kaspatest').map(({ address }) => address)
    expect(addresses).toEqual(vector?.accounts[0].networks['testnet-10'].receive)
  })

  it('include keys and derivation path', () => {
    const [first, second] = deriveAccounts(2, 'kaspasim')
    expect(first).toEqual({
      index: 0,
      address: expect.stringMatching(/^kaspasim:q[a-z0-9]{60}$/),
      privateKeyHex: expect.stringMatching(/^[0-9a-f]{64}$/),
      publicKeyHex: expect.stringMatching(/^0[23][0-9a-f]{64}$/),
      path: "m/44'/111111'/0'/0/0",
    })
    expect(second?.path).toBe("m/44'/111111'/0'/0/1")
  })
})
