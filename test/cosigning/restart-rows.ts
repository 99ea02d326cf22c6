import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createCosigning, type Cosigning, type CosigningAccount } from '../../src/cosigning/index.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { addressOfPublicKey } from '../../src/model/address.js'
import { light } from '../../src/sdk/light/light.js'
import vectors from '../fixtures/cosigning/multisig-derivation.json' with { type: 'json' }
import type { CosigningNetwork, OpenNetwork } from './cosigners.js'
import { accountOfThree, KAS, kpubA, kpubB, kpubC } from './harness.js'

const RECIPIENT = addressOfPublicKey('3c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1', 'kaspasim')

interface Started {
  readonly engine: ChainEngine
  readonly cosigning: Cosigning
  readonly account: CosigningAccount
  readonly open: (text: string) => ReturnType<Cosigning['fromPskb']>
}

/** A payment of several signers, each step in a program that has just started. */
export function describeRestarts(openNetwork: OpenNetwork): void {
  const { descriptor, addressAt } = accountOfThree()
  let network: CosigningNetwork

  /** It knows the descriptor, and what its step is given, and ends with the step. */
  async function inNewProgram<Result>(own: string, step: (program: Started) => Promise<Result>): Promise<Result> {
    const engine = createChainEngine({ ...network.engineOptions, sdk: light })
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
      const settings = { account, entries: await engine.rpc.getUtxosByAddresses([account.address(0)]) }
      const { create, cancel } = engine.transactions
      const { transactions } =
        amount === null
          ? await cancel(replaces!, { ...settings, changeAddress: account.address(0) })
          : await create({
              ...settings,
              outputs: [{ address: RECIPIENT, amount }],
              ...(replaces !== undefined && { replaces }),
            })
      return cosigning.toPskb(transactions)
    })

  const sign = (text: string, own: string, mnemonic: string): Promise<string> =>
    inNewProgram(own, async ({ open }) => (await (await open(text)).signAsync({ mnemonic })).toPskb())

  const [mnemonicA = '', mnemonicB = '', mnemonicC = ''] = vectors.mnemonics

  describe('a payment of several signers, whose programs restart between each two steps', () => {
    beforeAll(async () => {
      network = await openNetwork(addressAt({ cosigner: 1, change: false, index: 0 }), 4)
    })
    afterAll(() => network.close())

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
      await network.mine()
      expect(await submitStored()).toBe(id)
      const received = await inNewProgram(kpubA, ({ engine }) => engine.rpc.getUtxosByAddresses([RECIPIENT]))
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
        [kpubC, mnemonicC],
      ] as const
      const first = await pay(plan(5n * KAS), [a, b])
      const second = await pay(plan(6n * KAS, first), [b, c])
      const cancelled = await pay(plan(null, second), [c, a])
      await inNewProgram(kpubA, async ({ engine: { rpc } }) => {
        for (const id of [first, second])
          await expect(rpc.getMempoolEntry(id)).rejects.toMatchObject({ name: 'ChainRpcError' })
        const { transaction } = await rpc.getMempoolEntry(cancelled)
        expect(transaction.outputs).toHaveLength(1)
      })
    })
  })
}
