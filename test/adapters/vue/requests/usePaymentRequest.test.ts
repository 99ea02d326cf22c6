// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { createApp, h, nextTick, shallowRef } from 'vue'
import { ReceivePayment } from '../../../../src/adapters/vue/requests/ReceivePayment.js'
import { usePaymentRequest } from '../../../../src/adapters/vue/requests/usePaymentRequest.js'
import { useChainEngine } from '../../../../src/adapters/vue/composables/useChainEngine.js'
import { createDevnode } from '../../../../src/devnode/index.js'
import type { RequestArgument } from '../../../../src/streams/requests/page-request.js'
import vectors from '../../../fixtures/accounts/extended-public-keys.json' with { type: 'json' }
import { mountApp } from '../with-app.js'
import { VueChain } from '../../../../src/adapters/vue/plugin/plugin.js'
import { eachFile } from '../../../lifetimes.js'
import { STORED } from './stored.js'

const devnode = eachFile(() => createDevnode({ accounts: 0, blockInterval: 0 }))

let startIndex = 200
/** An app that shows a request of settings, or of what `argument` becomes. */
function mount(storageKey?: string, argument = shallowRef<RequestArgument>(null)) {
  const mounted = mountApp(
    () => ({ engine: useChainEngine(), argument, ...usePaymentRequest(argument, { storageKey }) }),
    (app) => app.use(VueChain, { network: 'simnet', url: devnode.urls.borsh }),
  )
  const begin = async (): Promise<void> => {
    const { accounts } = mounted.result.engine
    const account = await accounts.fromExtendedPublicKey(vectors[5]!.kpub, { startIndex: startIndex++ })
    argument.value = { account, amount: 500_000_000n }
  }
  return { ...mounted, begin }
}

describe('<ReceivePayment>', () => {
  it('keeps the focus once the focused link is removed, because nothing is left to pay', async () => {
    const { result, begin } = mount()
    await begin()
    await expect.poll(() => result.request.value).not.toBeNull()
    const container = document.body.appendChild(document.createElement('div'))
    const app = createApp({ render: () => h(ReceivePayment, { request: result.request.value }) })
    app.use(VueChain, { network: 'simnet', url: devnode.urls.borsh }).mount(container)
    const tone = async () => {
      await devnode.mine()
      return container.querySelector('section')?.className
    }
    await expect.poll(tone).toContain('vc-receive-waiting')
    container.querySelector('a')?.focus()
    expect(document.activeElement?.tagName).toBe('A')
    await devnode.fund(result.request.value?.address ?? '', 500_000_000n)
    await expect.poll(tone).toContain('vc-receive-paid')
    expect(container.querySelector('a')).toBeNull()
    await expect.poll(() => document.activeElement).toBe(container.querySelector('section'))
    app.unmount()
  })
})

describe('usePaymentRequest', () => {
  it('creates a request of settings and follows it', async () => {
    const { result, begin } = mount()
    expect([result.uri.value, result.remaining.value, result.state.value.freshness]).toEqual([null, null, 'unknown'])
    await begin()
    await expect.poll(() => result.uri.value).toMatch(/^kaspasim:q\w+\?amount=5$/)
    await expect.poll(() => result.remaining.value).toBeGreaterThan(0)
    const followed = async () => {
      await devnode.mine()
      return result.state.value
    }
    await expect.poll(followed).toMatchObject({ freshness: 'fresh', status: 'waiting', missing: 500_000_000n })
    await devnode.fund(result.request.value?.address ?? '', 500_000_000n)
    await expect.poll(followed).toMatchObject({ status: 'paid', missing: 0n })
  })

  it('has the same request after a reload and in another tab, by a key in the storage of the page', async () => {
    const [first, second] = [mount('order-42'), mount('order-42')]
    await first.begin()
    await expect.poll(() => first.result.uri.value).not.toBeNull()
    await second.begin()
    await expect.poll(() => second.result.uri.value).toBe(first.result.uri.value)
    const other = mount('order-43')
    await other.begin()
    await expect.poll(() => other.result.uri.value).not.toBeNull()
    expect(other.result.uri.value).not.toBe(first.result.uri.value)
    for (const { unmount } of [first, second, other]) unmount()
  })

  it('has the link of a stored request at once, and the error of one that was changed', async () => {
    const argument = shallowRef<RequestArgument>(STORED)
    const { result } = mount(undefined, argument)
    expect([result.uri.value, result.error.value]).toEqual([`${STORED.address}?amount=12.5&label=Shop`, null])
    argument.value = { ...STORED, amount: '-1' }
    await nextTick()
    expect(result.uri.value).toBeNull()
    expect(result.error.value).toMatchObject({ code: 'invalid-argument', argument: 'amount' })
  })

  it('stays as it is for a copy of the stored request, and has no time left without one', async () => {
    const created = mount()
    await created.begin()
    await expect.poll(() => created.result.request.value).not.toBeNull()
    const stored = created.result.request.value!.stored
    const argument = shallowRef<RequestArgument>(stored)
    const { result, unmount } = mount(undefined, argument)
    await expect.poll(() => result.state.value.freshness).toBe('fresh')
    await expect.poll(() => result.remaining.value).toBeGreaterThan(0)
    const before = result.state.value
    argument.value = { ...stored }
    expect(result.state.value).toBe(before)
    argument.value = null
    expect([result.remaining.value, result.state.value.freshness]).toEqual([null, 'unknown'])
    unmount()
    created.unmount()
  })

  it('has the error of settings that no request can have', async () => {
    const argument = shallowRef<RequestArgument>({ amount: 0n, address: STORED.address })
    const { result } = mount(undefined, argument)
    await expect.poll(() => result.error.value?.code).toBe('invalid-argument')
    expect(result.request.value).toBeNull()
  })
})
