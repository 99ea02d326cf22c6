import { expect, it } from 'vitest'
import * as door from '../src/index.js'

it('opens on these names, so that none appears or vanishes unseen', () => {
  expect(Object.keys(door).sort()).toEqual([
    'AVAILABLE_NETWORKS',
    'ChainCryptoError',
    'ChainError',
    'ChainNotReadyError',
    'ChainRestError',
    'ChainRpcError',
    'ChainWalletError',
    'NETWORKS',
    'SOMPI_PER_KASPA',
    'VueChain',
    'isChainNetwork',
    'isMature',
    'isValidAddress',
    'kaspaToSompi',
    'sompiToKaspa',
    'sompiToKaspaString',
    'useBlockListener',
    'useChain',
    'useChainEngine',
    'useChainRest',
    'useCrypto',
    'useNetwork',
    'useRestQuery',
    'useRpc',
    'useRpcEvent',
    'useRpcQuery',
    'useTransaction',
    'useTransactionListener',
    'useTransactionStatus',
    'useUtxo',
    'useVueChain',
  ])
})
