// @vitest-environment happy-dom
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createApp, h, nextTick, shallowRef, type Slots } from 'vue'
import { useChainEngine } from '../../../../src/adapters/vue/composables/useChainEngine.js'
import { useUtxo, type UseUtxoReturn } from '../../../../src/adapters/vue/composables/useUtxo.js'
import { CosignReview } from '../../../../src/adapters/vue/cosigning/CosignReview.js'
import { useCosigning, type UseCosigningReturn } from '../../../../src/adapters/vue/cosigning/useCosigning.js'
import { VueChain } from '../../../../src/adapters/vue/plugin/plugin.js'
import type { Proposal } from '../../../../src/cosigning/index.js'
import type { ChainEngine } from '../../../../src/engine/engine.js'
import { addressOfPublicKey } from '../../../../src/model/address.js'
import { light } from '../../../../src/sdk/light/light.js'
import {
  accountKeys,
  KAS,
  openCosigners,
  openMemoryNetwork,
  payment,
  toText,
  type Cosigner,
  type CosigningHarness,
  type CosigningNetwork,
} from '../../../cosigning/cosigners.js'

const RECIPIENT = addressOfPublicKey('3c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1', 'kaspasim')

let harness: CosigningHarness
let network: CosigningNetwork
beforeAll(async () => {
  harness = await openCosigners({ threshold: 2, count: 3 }, 20, async (...given) => {
    network = await openMemoryNetwork(...given)
    return network
  })
})
afterAll(() => harness.close())

let unmount: () => void
let engine: ChainEngine
let page: UseCosigningReturn
let utxo: UseUtxoReturn
let container: HTMLElement
const account = shallowRef<Cosigner['account'] | null>(null)
let slots: Record<string, unknown> = {}

/** A page of the first cosigner. */
beforeEach(async () => {
  slots = {}
  account.value = null
  container = document.body.appendChild(document.createElement('div'))
  const app = createApp({
    setup() {
      engine = useChainEngine()
      page = useCosigning(account)
      utxo = useUtxo(account)
      return () => h(CosignReview, { proposal: page.proposal.value }, slots as unknown as Slots)
    },
  })
  app.use(VueChain, { ...network.engineOptions, sdk: light }).mount(container)
  unmount = () => {
    app.unmount()
    container.remove()
  }
  await engine.connection.connect()
  await engine.wasm.init()
  account.value = harness.cosigners[0]!.account
})
afterEach(() => unmount())

const newPayment = (count = 1): string => toText(payment(harness, harness.funds(count), RECIPIENT))
const keys = (at: number) => ({ privateKeys: harness.cosigners[at]!.privateKeys })
/** Of the own key, then of the others: the keys of an account are sorted. */
const states = () => {
  const own = page.signers.value.filter(({ isOwn }) => isOwn)
  const others = page.signers.value.filter(({ isOwn }) => !isOwn)
  return [own, others].map((signers) =>
    signers
      .map(({ hasSigned }) => hasSigned)
      .sort()
      .join(),
  )
}

/** The text with the signatures of another cosigner, on another device. */
async function signedBy(at: number, text: string): Promise<string> {
  const proposal = await harness.cosigners[at]!.open(text, { reserveFor: 0 })
  return (await proposal.signAsync(keys(at))).toPskb()
}

describe('useUtxo', () => {
  it('has the balance of an account of several signers, and of none', async () => {
    const { value } = harness
    const scanned = await page.accountFromDescriptor(value.descriptor, {
      own: accountKeys({ threshold: 2, count: 3 }).keys[0]!,
    })
    await scanned.scan({ history: false })
    account.value = scanned
    await expect.poll(() => utxo.balance.value.mature).toBe(200n * KAS)
    account.value = null
    await expect.poll(() => utxo.balance.value.mature).toBe(0n)
  })
})

describe('useCosigning', () => {
  it('opens, signs, and submits a payment once others have signed it', async () => {
    expect([page.proposal.value, page.isComplete.value, page.signers.value]).toEqual([null, false, []])
    const text = newPayment()
    await page.open(text)
    expect(states()).toEqual(['none', 'none,none'])
    await page.sign(keys(0))
    expect([page.isComplete.value, states()]).toEqual([false, ['all', 'none,none']])
    await page.open(await signedBy(2, text)) // signed beside, without the own signature
    expect([page.isComplete.value, states()]).toEqual([true, ['all', 'all,none']])
    const [id] = await page.submit()
    await harness.mine()
    const paid = await engine.rpc.getUtxosByAddresses([RECIPIENT])
    expect(paid.map(({ outpoint }) => outpoint.transactionId)).toContain(id)
  })

  it('proposes a payment that was planned for an account of the page', async () => {
    const { descriptor, own } = harness.cosigners[0]!.account
    account.value = await page.accountFromDescriptor(descriptor, { own })
    const planned = await harness.cosigners[0]!.open(newPayment(), { reserveFor: 0 })
    const complete = planned.combine(await signedBy(1, planned.toPskb())).combine(await signedBy(2, planned.toPskb()))
    await page.propose(await complete.finalize())
    expect([page.isComplete.value, states()]).toEqual([true, ['none', 'all,all']])
    await expect(page.propose([])).rejects.toMatchObject({ code: 'invalid-argument', argument: 'payments' })
  })

  it('has one payment open: another one takes its place, unsigned', async () => {
    await page.open(newPayment())
    await page.sign(keys(0))
    await page.open(newPayment())
    expect(states()).toEqual(['none', 'none,none'])
  })

  it('keeps the inputs reserved while it signs, also where the payment is opened again meanwhile', async () => {
    const entries = [...harness.funds()]
    const text = toText(payment(harness, entries, RECIPIENT))
    const [known, changeAddress] = [account.value!, harness.value.addressAt({ cosigner: 0, change: true, index: 0 })]
    known.address(0, { cosigner: 0 })
    const settings = { account: known, entries, changeAddress, outputs: [{ address: RECIPIENT, amount: 3n * KAS }] }
    const plan = () => engine.transactions.estimate(settings)
    expect((await plan()).transactions).toBe(1)
    await page.open(text)
    await expect(plan()).rejects.toMatchObject({ code: 'insufficient-funds' })
    await page.sign(keys(0))
    await expect(plan()).rejects.toMatchObject({ code: 'insufficient-funds' })
    const signing = page.sign(keys(2))
    await page.open(text)
    await signing
    expect(states()).toEqual(['all', 'all,none'])
    await expect(plan()).rejects.toMatchObject({ code: 'insufficient-funds' })
  })

  it('has the error of the last call until the next one', async () => {
    await expect(page.open('PSKT00')).rejects.toMatchObject({ code: 'invalid-pskb' })
    expect(page.error.value).toMatchObject({ code: 'invalid-pskb', reason: 'prefix' })
    await expect(page.sign(keys(0))).rejects.toMatchObject({ code: 'invalid-argument', argument: 'proposal' })
    expect(page.error.value).toMatchObject({ argument: 'proposal' })
    await page.open(newPayment())
    expect(page.error.value).toBeNull()
    await expect(page.submit()).rejects.toMatchObject({ code: 'signatures-missing' })
    expect(page.proposal.value).not.toBeNull()
  })

  it('needs an account, and drops the payment with it', async () => {
    await page.open(newPayment())
    account.value = null
    expect(page.proposal.value).toBeNull()
    await expect(page.open(newPayment())).rejects.toMatchObject({ argument: 'account' })
  })

  it('shows no payment of an account that changed meanwhile', async () => {
    const opening = page.open(newPayment())
    account.value = harness.cosigners[1]!.account
    expect((await opening).isComplete).toBe(false)
    expect(page.proposal.value).toBeNull()
  })
})

describe('<CosignReview>', () => {
  const texts = (selector: string) => [...container.querySelectorAll(selector)].map((each) => each.textContent)

  it('shows recipients, amounts, fee and signers of the payment', async () => {
    expect(texts('.vc-cosign')).toEqual(['No payment is open'])
    await page.open(newPayment())
    await page.sign(keys(0))
    await nextTick()
    expect(texts('.vc-cosign-sum')).toEqual(['3.025 SKAS'])
    expect(texts('.vc-cosign-recipient')).toEqual([`${RECIPIENT}3 SKAS`])
    expect(texts('.vc-cosign-facts dd').slice(1)).toEqual(['0.025 SKAS', '6.975 SKAS'])
    expect(texts('.vc-cosign-signer')).toEqual([
      'Cosigner 1Not signed',
      'Cosigner 2 (you)Signed',
      'Cosigner 3Not signed',
    ])
    expect(texts('.vc-problem')).toEqual([])
    expect(texts('[role=status]')).toEqual(['More signatures are needed'])
    const section = container.querySelector('.vc-cosign')
    const title = container.querySelector(`#${section?.getAttribute('aria-labelledby')}`)
    expect(title?.textContent).toBe('Payment to sign')
  })

  it('shows the script of an output that has no address', async () => {
    const script = '6a0548656c6c6f'
    const { outputs, ...rest } = payment(harness, harness.funds(), RECIPIENT)
    const [paid, change] = outputs
    const burnt = { ...paid!, scriptPublicKey: { version: 0, script } }
    await page.open(toText({ ...rest, outputs: [burnt, change!] }), { offline: true })
    await nextTick()
    expect(texts('.vc-cosign-recipient')).toEqual([`${script}3 SKAS`])
  })

  it('warns where no node has confirmed the amounts', async () => {
    const text = newPayment()
    await page.open(text, { offline: true })
    await nextTick()
    expect(texts('.vc-problem')).toEqual([
      'No node has confirmed the amounts: the fee may be higher than it says here.',
    ])
  })

  it('gives every part to the slots of the app', async () => {
    slots = {
      amount: ({ text }: { text: string }) => `amount ${text}`,
      recipient: ({ to }: { to: string }) => `to ${to}`,
      signer: ({ name }: { name: string }) => name,
      status: ({ text }: { text: string }) => `status ${text}`,
      actions: ({ proposal }: { proposal: Proposal }) => h('button', `Sign ${proposal.signers.length}`),
    }
    await page.open(newPayment())
    await nextTick()
    expect(texts('header')).toEqual(['Payment to signamount 3.025 SKAS'])
    expect(texts('.vc-cosign-recipient')).toEqual([`to ${RECIPIENT}`])
    expect(texts('.vc-cosign-signer')).toEqual(['Cosigner 1', 'Cosigner 2 (you)', 'Cosigner 3'])
    expect(texts('[role=status]')).toEqual(['status More signatures are needed'])
    expect(texts('button')).toEqual(['Sign 3'])
  })
})
