// @vitest-environment happy-dom
import { NEVER, of, throwError } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defineComponent, h, inject, onMounted } from 'vue'
import { useRestQuery } from '../../../../src/adapters/vue/composables/useRestQuery.js'
import { useRpc } from '../../../../src/adapters/vue/composables/useRpc.js'
import { useUtxo } from '../../../../src/adapters/vue/composables/useUtxo.js'
import { mountWithChain } from '../../../../src/adapters/vue/testing/mount-with-chain.js'
import { createMemoryDevnode } from '../../../../src/devnode/memory/create-memory-devnode.js'
import { createDevnode } from '../../../../src/devnode/index.js'
import { sompiToKaspa } from '../../../../src/model/amount.js'
import { createScriptedNode, fixtures } from '../../../../src/testing/index.js'

const KAS = 100_000_000n

const Balance = defineComponent({
  props: { address: { type: String, required: true } },
  setup(props) {
    const { balance, freshness } = useUtxo(() => props.address)
    return () => h('p', freshness.value === 'fresh' ? sompiToKaspa(balance.value.mature) : '–')
  },
})

const BlueScore = defineComponent(() => {
  const queryKey = ['blue score']
  const { data } = useRestQuery({ queryKey, queryFn: ({ rest }) => rest.getVirtualSelectedParentBlueScore() })
  return () => h('p', String(data.value?.blueScore))
})

const scripted = () => {
  const node = createScriptedNode()
  node.respond('getUtxosByAddresses', () => of({ entries: [fixtures.utxo({ amount: 5n * KAS }), fixtures.utxo()] }))
  node.respond('getMempoolEntriesByAddresses', () => of({ entries: [] }))
  return node
}

describe.each(['real', 'fake'])('mountWithChain, with %s timers', (timers) => {
  beforeEach(() => {
    if (timers === 'fake') vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
    document.body.replaceChildren()
  })

  it('shows the state of a scripted node once ready, and changes once idle', async () => {
    const node = scripted()
    const chain = mountWithChain(Balance, { node, props: { address: fixtures.testAddress() } })
    expect(chain.element.textContent).toBe('–')
    await chain.ready()
    expect(chain.element.textContent).toBe('6')
    node.notify({ type: 'utxos-changed', data: { added: [fixtures.utxo({ amount: 2n * KAS })], removed: [] } })
    await chain.whenIdle()
    expect(chain.element.textContent).toBe('8')
    chain.unmount()
    expect(document.body.contains(chain.element)).toBe(false)
  })

  it('shows a devnode in memory, and a payment', async () => {
    const devnode = createMemoryDevnode({ blockInterval: 0, accounts: 2 })
    const [from, to] = devnode.accounts
    const chain = mountWithChain(Balance, { devnode, props: { address: to!.address } })
    await chain.ready()
    expect(chain.element.textContent).toBe('1000')
    const { engine } = chain
    await engine.wasm.init()
    await engine.transactions.send({
      entries: await engine.rpc.getUtxosByAddresses([from!.address]),
      outputs: [{ address: to!.address, amount: 7n * KAS }],
      changeAddress: from!.address,
      privateKeys: [from!.privateKeyHex],
    })
    await devnode.mine(2)
    await chain.whenIdle()
    expect(chain.element.textContent).toBe('1007')
    chain.unmount()
    await devnode.close()
  })

  it('waits for queries of the indexer', async () => {
    const fetcher: typeof fetch = () => Promise.resolve(Response.json({ blueScore: 77 }))
    const chain = mountWithChain(BlueScore, { node: scripted(), options: { rest: { fetcher } } })
    await chain.whenIdle()
    expect(chain.element.textContent).toBe('77')
    chain.unmount()
  })

  it('rejects with the failure of the first attempt to connect', async () => {
    const node = createScriptedNode()
    node.onDial(() => throwError(() => new Error('refused')))
    const chain = mountWithChain(Balance, { node, props: { address: fixtures.testAddress() } })
    await expect(chain.ready()).rejects.toMatchObject({ name: 'ChainRpcError' })
    chain.unmount()
  })
})

describe('mountWithChain', () => {
  it('shows what happens on a devnode with sockets', async () => {
    const devnode = await createDevnode({ blockInterval: 0, accounts: 1 })
    const chain = mountWithChain(Balance, { devnode, props: { address: devnode.accounts[0]!.address } })
    await chain.ready()
    expect(chain.element.textContent).toBe('1000')
    chain.unmount()

    const queried = mountWithChain(BlueScore, { devnode })
    await queried.whenIdle()
    expect(queried.element.textContent).toMatch(/^\d+$/)
    queried.unmount()
    await devnode.close()
  })

  it('connects when the test wants it, or with the app', async () => {
    const Status = defineComponent(() => {
      const { connectionState } = useRpc()
      return () => h('p', connectionState.value)
    })
    const chain = mountWithChain(Status, { node: scripted() })
    await chain.whenIdle()
    expect(chain.element.textContent).toBe('disconnected')
    await chain.ready()
    expect(chain.element.textContent).toBe('connected')
    chain.unmount()

    const eager = mountWithChain(Status, { node: scripted(), options: { autoConnect: true } })
    await eager.whenIdle()
    expect(eager.element.textContent).toBe('connected')
    eager.unmount()
  })

  it('shows the state before a response arrives', () => {
    const node = createScriptedNode()
    node.respond('getUtxosByAddresses', () => NEVER)
    const chain = mountWithChain(Balance, { node, props: { address: fixtures.testAddress() } })
    expect(chain.element.textContent).toBe('–')
    chain.unmount()
  })

  it('prepares the app before it is mounted', () => {
    const Named = defineComponent(() => () => h('p', inject<string>('name')))
    const chain = mountWithChain(Named, { node: createScriptedNode(), prepare: (app) => app.provide('name', 'Ada') })
    expect(chain.element.textContent).toBe('Ada')
    chain.unmount()
  })

  it('throws what setup throws, and rejects with later errors of the app', async () => {
    const failure = new Error('setup failed')
    const Broken = defineComponent(() => {
      throw failure
    })
    expect(() => mountWithChain(Broken, { node: createScriptedNode() })).toThrow(failure)
    expect(document.body.innerHTML).toBe('')

    const late = new Error('too late')
    const Late = defineComponent(() => {
      onMounted(() => Promise.reject(late))
      return () => null
    })
    const chain = mountWithChain(Late, { node: createScriptedNode() })
    await expect(chain.whenIdle()).rejects.toBe(late)
    await chain.whenIdle()
    chain.unmount()
  })

  it.each([{}, { node: createScriptedNode(), devnode: { engineOptions: {} } }])(
    'rejects settings without a node, and with two',
    (settings) => {
      expect(() => mountWithChain(Balance, settings)).toThrow('mountWithChain() needs a node or a devnode')
    },
  )
})
