import { expect, it } from 'vitest'
import { toChainServer } from '../../../src/adapters/nuxt/runtime/chain-server.js'
import {
  toRuntimeConfig,
  type ChainRuntimeConfig,
  type ModuleOptions,
} from '../../../src/adapters/nuxt/module-options.js'
import { createDevnode } from '../../../src/devnode/index.js'
import { eachFile } from '../../lifetimes.js'

const devnode = eachFile(() => createDevnode({ blockInterval: 0, accounts: 1 }))

/** As Nuxt hands it to a server: through JSON, with empty texts for what is not set. */
const configOf = (options: ModuleOptions): ChainRuntimeConfig =>
  JSON.parse(JSON.stringify(toRuntimeConfig(options))) as ChainRuntimeConfig

it('reads the indexer of the options, of nuxt.config or of the environment', async () => {
  const { address } = devnode.accounts[0]!
  const config = configOf({ network: 'simnet', rest: { staleTime: 0 } })
  const { rest, network, options, isValidAddress } = toChainServer({
    ...config,
    public: { chain: { ...config.public.chain, restUrl: devnode.urls.rest } },
  })
  expect((await rest.getAddressBalance(address)).balanceExact).toBe(100_000_000_000n)
  expect([network, options]).toEqual([
    'simnet',
    { network: 'simnet', restUrl: devnode.urls.rest, rest: { staleTime: 0 } },
  ])
  expect([isValidAddress(address), isValidAddress(address.replace('kaspasim', 'kaspa'))]).toEqual([true, false])
})

it('is for mainnet by default', () => {
  const { network, rest } = toChainServer(configOf({}))
  expect([network, rest.baseUrl]).toEqual(['mainnet', 'https://api.kaspa.org'])
})

it('verifies sign-in messages of the network', async () => {
  const { verifySignInMessage } = toChainServer(configOf({ network: 'simnet' }))
  const consumeNonce = () => Promise.resolve(true)
  const signIn = { message: 'Hello', signature: '00'.repeat(64), domain: 'shop.example', consumeNonce }
  expect(await verifySignInMessage(signIn)).toEqual({ isValid: false, reason: 'malformed' })
})
