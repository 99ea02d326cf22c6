import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createCosigning, type Cosigning, type CosigningAccount } from '../../src/cosigning/index.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { light } from '../../src/sdk/light/light.js'
import vectors from '../fixtures/cosigning/multisig-derivation.json' with { type: 'json' }
import { FULL } from '../full.js'
import { KAS, kpubA, kpubB, openCosigning, type CosigningHarness } from './harness.js'

let harness: CosigningHarness
let descriptor: string
let recipient: string
beforeAll(async () => {
  if (!FULL) return
  harness = await openCosigning()
  const account = await harness.open(kpubA)
  descriptor = account.descriptor
  recipient = harness.devnode.accounts[0]!.address
  for (let at = 0; at < 4; at++) await harness.devnode.fund(account.address(0), 20n * KAS)
  await harness.devnode.mine(2)
})
afterAll(() => (FULL ? harness.close() : undefined))

interface Started {
  readonly engine: ChainEngine
  readonly cosigning: Cosigning
  readonly account: CosigningAccount
  readonly open: (text: string) => ReturnType<Cosigning['fromPskb']>
}

/** A program that has just started: it knows the descriptor, and what its step is given. It ends with the step. */
async function inNewProgram<Result>(own: string, step: (program: Started) => Promise<Result>): Promise<Result> {
  const engine = createChainEngine({ ...harness.devnode.engineOptions, sdk: light })
  onTestFinished(() => engine.dispose())
  await engine.connection.connect()
  await engine.wasm.init()
  const cosigning = createCosigning({ engine })
  const account = await cosigning.accountFromDescriptor(descriptor, { own, startIndex: 0 })
  const result = await step({ engine, cosigning, account, open: (text) => cosigning.fromPskb(text, { account }) })
  await engine.dispose()
  return result
}

/** A payment of an amount, or the cancellation of the replaced one. */
const plan = (amount: bigint | null, replaces?: string): Promise<string> =>
  inNewProgram(kpubA, async ({ engine, cosigning, account }) => {
    const entries = await engine.rpc.getUtxosByAddresses([account.address(0)])
    const settings = {
      ...(amount !== null && { outputs: [{ address: recipient, amount }] }),
      ...(amount === null && { changeAddress: account.address(0) }),
      ...(replaces !== undefined && { replaces }),
    }
    const { transactions } = await engine.transactions.create({ account, entries, ...settings })
    return cosigning.toPskb(transactions)
  })

const sign = (text: string, own: string, mnemonic: string): Promise<string> =>
  inNewProgram(own, async ({ open }) => (await (await open(text)).signAsync({ mnemonic })).toPskb())

const [mnemonicA = '', mnemonicB = '', mnemonicC = ''] = vectors.mnemonics

describe.runIf(FULL)('a payment of several signers, whose programs restart between each two steps', () => {
  it('is finalized, stored, restored and submitted by other programs, once', async () => {
    let text = await plan(5n * KAS)
    text = await sign(text, kpubA, mnemonicA)
    text = await sign(text, kpubB, mnemonicB)
    const { final, stored } = await inNewProgram(kpubB, async ({ cosigning, open }) => {
      const payments = await (await open(text)).finalize()
      return { final: cosigning.toPskb(payments), stored: payments.map((payment) => payment.serialize()) }
    })
    const submitStored = (): Promise<string> =>
      inNewProgram(kpubB, async ({ engine }) =>
        (await engine.transactions.restore(structuredClone(stored[0]!))).submit(),
      )
    const submitText = (): Promise<string> =>
      inNewProgram(kpubA, async ({ open }) => (await (await open(final)).finalize())[0]!.submit())
    const id = await submitText()
    expect(await submitStored()).toBe(id)
    expect(await submitText()).toBe(id)
    await harness.devnode.mine(2)
    expect(await submitStored()).toBe(id)
    const received = await harness.engine.rpc.getUtxosByAddresses([recipient])
    expect(received.filter(({ outpoint }) => outpoint.transactionId === id)).toHaveLength(1)
  })

  it('is replaced, then cancelled, by the signatures of other pairs', async () => {
    const pay = async (planned: Promise<string>, pair: readonly (readonly [string, string])[]): Promise<string> => {
      let text = await planned
      for (const [own, mnemonic] of pair) text = await sign(text, own, mnemonic)
      return inNewProgram(kpubA, async ({ open }) => (await (await open(text)).finalize())[0]!.submit())
    }
    const [a, b, c] = [
      [kpubA, mnemonicA],
      [kpubB, mnemonicB],
      [vectors.kpubs[2]!, mnemonicC],
    ] as const
    const first = await pay(plan(5n * KAS), [a, b])
    const second = await pay(plan(6n * KAS, first), [b, c])
    const cancelled = await pay(plan(null, second), [c, a])
    const { rpc } = harness.engine
    for (const id of [first, second])
      await expect(rpc.getMempoolEntry(id)).rejects.toMatchObject({ name: 'ChainRpcError' })
    const { transaction } = await rpc.getMempoolEntry(cancelled)
    expect(transaction.outputs).toHaveLength(1)
  })
})
