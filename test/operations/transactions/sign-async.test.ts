import { describe, expect, it } from 'vitest'
import { toTransaction } from '../../../src/model/serialized-transaction.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { light } from '../../../src/sdk/light/light.js'
import { followPlan } from './checked-plan.js'
import { KAS, alice, bob, carol, utxo, utxos } from './accounts.js'
import { failure } from './failure.js'
import { createScriptedDependencies } from './scripted-dependencies.js'
import { signaturesVerify } from './verify.js'

const sdk = await light.loadPort()

const createWith = (port: SdkPort, entries = utxos([3n * KAS, 4n * KAS])) =>
  createTransactions(createScriptedDependencies(port)).create({ entries, changeAddress: alice.address })

describe('signAsync', () => {
  it.each<[string, SdkPort]>([
    ['with signHashesAsync', sdk],
    ['in slices of signHashes', { ...sdk, signHashesAsync: undefined } as unknown as SdkPort],
  ])('signs Schnorr and ECDSA inputs of several keys, %s', async (_, port) => {
    const entries = [
      utxo(2n * KAS, 0),
      utxo(2n * KAS, 1, { address: carol.ecdsaAddress }),
      utxo(2n * KAS, 2, { address: carol.address }),
    ]
    const plan = await createWith(port, entries)
    const [seen] = followPlan(entries, plan)
    await plan.transactions[0]?.signAsync([carol.privateKey, alice.privateKey])
    expect(signaturesVerify(toTransaction(plan.transactions[0]!.serialize()), seen?.spent ?? [])).toEqual([
      true,
      true,
      true,
    ])
  })

  it('lets other tasks run while hundreds of inputs are signed', async () => {
    const { transactions } = await createWith(sdk, utxos(Array.from({ length: 60 }, () => KAS)))
    let tasks = 0
    const timer = setInterval(() => tasks++, 0)
    await transactions[0]?.signAsync([alice.privateKey])
    clearInterval(timer)
    expect(tasks).toBeGreaterThan(1)
  })

  it.each([
    [[bob.privateKey], 'key-mismatch', 'privateKeys'],
    [['ab'], 'invalid-key', 'privateKeys[0]'],
  ])('rejects with wrong keys and keeps no signature', async (keys, code, argument) => {
    const { transactions } = await createWith(sdk)
    const error = await failure(transactions[0]!.signAsync(keys))
    expect(error).toMatchObject({ code, argument })
    expect(JSON.stringify(error)).not.toContain(bob.privateKey)
    expect(transactions[0]?.serialize().inputs.map(({ signatureScript }) => signatureScript)).toEqual(['', ''])
  })

  it('rejects what is neither keys nor a signer', async () => {
    const { transactions } = await createWith(sdk)
    expect(await failure(transactions[0]!.signAsync(alice.privateKey as never))).toMatchObject({
      code: 'invalid-argument',
      argument: 'signer',
    })
  })

  it('rejects where the signal is aborted, and stops signing', async () => {
    let signal: AbortSignal | undefined
    const slow: SdkPort = {
      ...sdk,
      signHashesAsync: (_, options) => {
        signal = options?.signal
        return new Promise(() => undefined)
      },
    }
    const { transactions } = await createWith(slow)
    const controller = new AbortController()
    const attempt = failure(transactions[0]!.signAsync([alice.privateKey], { signal: controller.signal }))
    await expect.poll(() => signal).toBeDefined()
    controller.abort()
    expect(await attempt).toMatchObject({ code: 'aborted' })
    expect(signal?.aborted).toBe(true)
  })
})
