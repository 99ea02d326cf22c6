// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { useChainEngine } from '../../../src/adapters/vue/composables/useChainEngine.js'
import { usePayouts } from '../../../src/adapters/vue/composables/usePayouts.js'
import { VueChain } from '../../../src/adapters/vue/plugin/plugin.js'
import { createDevnode, type Devnode } from '../../../src/devnode/index.js'
import { PayoutError } from '../../../src/errors/payout-error.js'
import { createPayouts } from '../../../src/payouts/create-payouts.js'
import { memoryJournal } from '../../../src/payouts/stores/memory-journal.js'
import type { PayoutJournal } from '../../../src/streams/payouts/journal.js'
import { eachTest } from '../../lifetimes.js'
import { mountApp } from './with-app.js'

const KAS = 100_000_000n

const devnode = eachTest(() => createDevnode({ blockInterval: 0, accounts: 2 }))

function mount(journal: PayoutJournal = memoryJournal()) {
  const [{ address, privateKeyHex }] = devnode.accounts as [Devnode['accounts'][number]]
  const setup = () => {
    const engine = useChainEngine()
    const queue = createPayouts({
      engine,
      journal,
      addresses: [address],
      privateKeys: [privateKeyHex],
      minConfirmations: 2,
    })
    return { ...usePayouts(queue), queue }
  }
  const prepare = { network: 'simnet', url: devnode.urls.borsh, autoConnect: false } as const
  return mountApp(setup, (app) => app.use(VueChain, prepare))
}

it('shows what was requested, the latest first, and those that wait', async () => {
  const { result, unmount } = mount()
  const { pay, payouts, waiting, error, queue } = result
  expect([payouts.value, waiting.value, error.value]).toEqual([[], [], null])
  const address = devnode.accounts[1]!.address
  expect(await pay('a', { address, amount: KAS })).toMatchObject({ id: 'a', state: 'queued' })
  await pay('b', { address, amount: 2n * KAS })
  await expect.poll(() => payouts.value.map(({ id }) => id)).toEqual(['b', 'a'])
  await expect(pay('a', { address, amount: 2n * KAS })).rejects.toMatchObject({ code: 'id-conflict' })
  await queue.cancel('a')
  await expect.poll(() => payouts.value.map(({ state }) => state)).toEqual(['queued', 'cancelled'])
  unmount()
  await pay('c', { address, amount: KAS })
  expect(payouts.value.map(({ id }) => id)).toEqual(['b', 'a'])
})

it('says why the journal could not be read, and reads it again with the next change', async () => {
  const journal = memoryJournal()
  let isReachable = true
  const failing: PayoutJournal = {
    ...journal,
    access(scope) {
      const access = journal.access(scope)
      const list: typeof access.list = (query) =>
        isReachable
          ? access.list(query)
          : Promise.reject(new PayoutError('The journal cannot be reached', { code: 'journal-unavailable' }))
      return { ...access, add: (request) => access.add(request), groups: (query) => access.groups(query), list }
    },
  }
  const { result } = mount(failing)
  const { pay, payouts, error } = result
  const address = devnode.accounts[1]!.address
  await pay('a', { address, amount: KAS })
  await expect.poll(() => payouts.value.map(({ id }) => id)).toEqual(['a'])
  isReachable = false
  await pay('b', { address, amount: KAS })
  await expect.poll(() => error.value).toMatchObject({ code: 'journal-unavailable' })
  expect(payouts.value.map(({ id }) => id)).toEqual(['a'])
  isReachable = true
  await pay('c', { address, amount: KAS })
  await expect.poll(() => payouts.value.map(({ id }) => id)).toEqual(['c', 'b', 'a'])
  expect(error.value).toBeNull()
})
