import { describe, expect, it } from 'vitest'
import { createSSRApp, type App } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { useBlockListener } from '../../../src/adapters/vue/composables/useBlockListener.js'
import { useChain } from '../../../src/adapters/vue/composables/useChain.js'
import { useCrypto } from '../../../src/adapters/vue/composables/useCrypto.js'
import { useNetwork } from '../../../src/adapters/vue/composables/useNetwork.js'
import { useRpc } from '../../../src/adapters/vue/composables/useRpc.js'
import { useRpcQuery } from '../../../src/adapters/vue/composables/useRpcQuery.js'
import { useUtxo } from '../../../src/adapters/vue/composables/useUtxo.js'
import { useWallet } from '../../../src/adapters/vue/composables/useWallet.js'
import { VueChain } from '../../../src/adapters/vue/plugin/plugin.js'
import { ChainError } from '../../../src/errors/chain-error.js'
import { createScriptedNode } from '../../../src/testing/scripted-node.js'
import { openSockets } from './with-app.js'

const ADDRESS = 'kaspasim:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9s7skwr78y'

/** A server-side app with the plugin and default options, one per request. */
function serverApp(): { app: App; node: ReturnType<typeof createScriptedNode> } {
  const node = createScriptedNode()
  return { app: createSSRApp({}).use(VueChain, { network: 'simnet', ports: { node } }), node }
}

describe('on a server', () => {
  it('does not connect, and refs hold their initial values', () => {
    const { app, node } = serverApp()
    const values = app.runWithContext(() => {
      const { connectionState, error, virtualDaaScore, eventLog } = useRpc()
      const { balance, freshness, error: utxoError } = useUtxo(ADDRESS)
      const { wasmStatus } = useChain()
      const { isListening } = useBlockListener()
      const { status } = useRpcQuery({ queryKey: ['sink'], queryFn: ({ rpc }) => rpc.getSink() })
      const { currentNetwork } = useNetwork()
      const { isConnected, isWalletAInstalled, discovered } = useWallet()
      const refs = {
        connectionState,
        error,
        virtualDaaScore,
        eventLog,
        balance,
        freshness,
        utxoError,
        wasmStatus,
        isListening,
        status,
        currentNetwork,
        isConnected,
        isWalletAInstalled,
        discovered,
      }
      return Object.fromEntries(Object.entries(refs).map(([name, ref]) => [name, ref.value]))
    })
    expect(values).toEqual({
      connectionState: 'disconnected',
      error: null,
      virtualDaaScore: 0n,
      eventLog: [],
      balance: { mature: 0n, pending: 0n, outgoing: 0n },
      freshness: 'unknown',
      utxoError: null,
      wasmStatus: 'idle',
      isListening: false,
      status: 'pending',
      currentNetwork: 'simnet',
      isConnected: false,
      isWalletAInstalled: false,
      discovered: [],
    })
    expect([openSockets(node), node.calls]).toEqual([0, []])
  })

  it('connecting, loading and waiting reject at once', async () => {
    const { app } = serverApp()
    const { connect, getSink, init, track } = app.runWithContext(() => ({ ...useRpc(), ...useChain(), ...useUtxo() }))
    const attempts = await Promise.allSettled([connect(), getSink(), init(), track([ADDRESS])])
    const rejected: unknown = { status: 'rejected', reason: expect.any(ChainError) }
    expect(attempts).toEqual([rejected, rejected, rejected, rejected])
    expect(() => app.runWithContext(useCrypto).generateMnemonic()).toThrow(ChainError)
  })

  it('wallet operations reject at once', async () => {
    const { app } = serverApp()
    const { connect, sendKaspa, signMessage, disconnect } = app.runWithContext(useWallet)
    await expect(connect('walletA')).rejects.toMatchObject({ operation: 'connect', code: 'not-installed' })
    await expect(sendKaspa(ADDRESS, 1n)).rejects.toMatchObject({ operation: 'sendKaspa', code: 'not-connected' })
    await expect(signMessage('x')).rejects.toMatchObject({ operation: 'signMessage', code: 'not-connected' })
    await disconnect()
  })

  it('renders a page without a warning', async () => {
    const Page = {
      setup: () => useRpc(),
      template: '<p>{{ connectionState }}, {{ virtualDaaScore }}</p>',
    }
    const app = createSSRApp(Page).use(VueChain, { network: 'simnet' })
    await expect(renderToString(app)).resolves.toBe('<p>disconnected, 0</p>')
  })
})
