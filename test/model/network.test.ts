import { describe, expect, it } from 'vitest'
import {
  AVAILABLE_NETWORKS,
  NETWORKS,
  isAddressPrefix,
  isChainNetwork,
  networksOfPrefix,
} from '../../src/model/network.js'
import { readFixture } from './vectors.js'

interface ParamsFixture {
  readonly ports: Record<string, { wrpcBorsh: number; wrpcJson: number }>
  readonly rows: readonly { network: string; version: string; targetTimePerBlockMs: number; coinbaseMaturity: number }[]
}

const fixture = readFixture<ParamsFixture>('consensus/network-params.json')
const current = fixture.rows.filter(({ version }) => version === '2.0')

describe('network parameters', () => {
  it.each(current)('match nodes of 2.x: $network', ({ network, targetTimePerBlockMs, coinbaseMaturity }) => {
    if (!isChainNetwork(network)) throw new Error('unknown network')
    expect(NETWORKS[network]).toMatchObject({
      id: network,
      targetTimePerBlock: targetTimePerBlockMs,
      coinbaseMaturity: BigInt(coinbaseMaturity),
    })
  })

  it.each(Object.entries(fixture.ports))('match the wRPC ports of a node on %s', (network, { wrpcBorsh, wrpcJson }) => {
    if (!isChainNetwork(network)) throw new Error('unknown network')
    expect(NETWORKS[network]).toMatchObject({ borshPort: wrpcBorsh, jsonPort: wrpcJson })
  })
})

describe('a network id', () => {
  it('is recognised only as a whole', () => {
    expect(AVAILABLE_NETWORKS.every(isChainNetwork)).toBe(true)
    expect(['testnet', 'testnet-11', 'Mainnet', '', 'toString', undefined, 7].some(isChainNetwork)).toBe(false)
  })

  it('follows from the address prefix, except among testnets', () => {
    expect(networksOfPrefix('kaspa')).toEqual(['mainnet'])
    expect(networksOfPrefix('kaspatest')).toEqual(['testnet-10', 'testnet-12'])
    expect(isAddressPrefix('kaspasim')).toBe(true)
    expect(isAddressPrefix('bitcoin')).toBe(false)
  })
})
