import { schnorr } from '@noble/curves/secp256k1.js'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { filter, firstValueFrom } from 'rxjs'
import type { Devnode } from '../../src/devnode/index.js'
import { createContractCheck } from '../../src/contracts/instance-rows.js'
import { partsOf, feature } from '../../src/engine/core-parts.js'
import { createChainEngine } from '../../src/engine/engine.js'
import { paymentChecks } from '../../src/engine/features/own-payments.js'
import { signerLimit } from '../../src/errors/payment-errors.js'
import { ChainWalletError } from '../../src/errors/wallet-error.js'
import { light } from '../../src/light/index.js'
import { toScriptPublicKey } from '../../src/model/address.js'
import { MAX_SOMPI } from '../../src/model/amount.js'
import { fromHex } from '../../src/model/hex.js'
import { toScriptKey } from '../../src/model/utxo.js'
import { memoryJournal } from '../../src/payouts/stores/memory-journal.js'
import type { TransactionSigner } from '../../src/sdk/port.js'
import type { Account } from '../../src/streams/accounts/accounts.js'
import { pollMined } from '../poll-mined.js'
import { createQueue, KAS, openRecipients, startNode, type TestOptions, type TestQueue } from './support/queue.js'

let devnode: Devnode
let recipients: Account
let queue: TestQueue

beforeEach(async () => {
  devnode = await startNode()
  recipients = await openRecipients()
  await devnode.mine(3)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await queue.end()
  await devnode.close()
})

function start(options?: TestOptions): void {
  queue = createQueue([devnode], memoryJournal(), options)
  queue.run()
}

const pay = (id: string, amount = KAS) => queue.payouts.pay(id, { address: recipients.address(0), amount })
const stateOf = async (id: string) => (await queue.payouts.get(id))?.state

async function mineUntilSettled(id: string): Promise<void> {
  await pollMined(devnode, () => stateOf(id)).toBe('settled')
}

/** A device that signs once `confirm` has resolved. */
const deviceOf = (confirm: () => Promise<void>): TransactionSigner => ({
  sign: async (requests) => {
    await confirm()
    return requests.map(({ sighash }) => schnorr.sign(sighash, fromHex(devnode.accounts[0]!.privateKeyHex)))
  },
})

it('goes on where a replacement is requested at a rate that is paid already', async () => {
  start()
  await pay('first')
  await expect.poll(() => stateOf('first')).toBe('relayed')
  await queue.payouts.bump('first', { feeRate: 1 })
  await pay('second')
  await mineUntilSettled('first')
  await mineUntilSettled('second')
  expect((await queue.payouts.get('first'))?.attempts).toHaveLength(1)
})

it('goes on beside payouts that exceed the supply together', async () => {
  queue = createQueue([devnode], memoryJournal())
  await pay('first', MAX_SOMPI)
  await pay('second')
  queue.run()
  await expect.poll(() => stateOf('second')).toBe('waiting')
  await queue.payouts.cancel('first')
  await mineUntilSettled('second')
})

it('waits for a device that rejects, and calls it again', async () => {
  let calls = 0
  const signer = deviceOf(async () => {
    if (calls++ === 0) throw new ChainWalletError('sign', undefined, { code: 'rejected' })
  })
  start({ signer })
  await pay('first')
  await expect.poll(() => queue.payouts.get('first')).toMatchObject({ state: 'waiting', reason: 'signer' })
  await mineUntilSettled('first')
})

it('requests no further signature of a device once it is on hold', async () => {
  await devnode.fund(devnode.accounts[0]!.address, 100n * KAS)
  await devnode.mine(3)
  const clock = performance.now.bind(performance)
  let calls = 0
  vi.spyOn(performance, 'now').mockImplementation(() => clock() + 60_000 * calls) // as a person takes
  const signer = deviceOf(async () => {
    await queue.payouts.hold()
    calls++
  })
  queue = createQueue([devnode], memoryJournal(), { signer, batch: { maxWait: 0, maxOutputs: 1, splitTo: 1 } })
  await pay('first')
  await pay('second')
  queue.run()
  await mineUntilSettled('first')
  expect([calls, await stateOf('second')]).toEqual([1, 'queued'])
})

/** Spends everything with the same key, in a block; returns the id. */
async function sweepElsewhere(): Promise<string> {
  const { address, privateKeyHex } = devnode.accounts[0]!
  const engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh, sdk: light })
  await engine.wasm.init()
  await engine.connection.connect()
  const entries = await engine.rpc.getUtxosByAddresses([address])
  const { transactionIds } = await engine.transactions.sweep({
    ...{ entries, privateKeys: [privateKeyHex], to: recipients.address(1) },
  })
  await engine.dispose()
  await devnode.mine(2)
  return transactionIds[0]!
}

it('stores no payment of a UTXO that somebody else has spent while it was signed', async () => {
  const foreign: string[] = []
  const signer = deviceOf(async () => {
    if (foreign.length > 0) return
    foreign.push(await sweepElsewhere())
    await firstValueFrom(queue.payouts.status$.pipe(filter(({ problem }) => problem !== null)))
  })
  start({ signer })
  await pay('first')
  await expect.poll(() => foreign.length).toBe(1)
  await firstValueFrom(queue.payouts.status$.pipe(filter(({ problem }) => problem !== null)))
  await devnode.fund(devnode.accounts[0]!.address, 500n * KAS)
  await devnode.mine(4)
  await queue.payouts.acknowledge(foreign[0]!)
  await mineUntilSettled('first')
  expect((await queue.payouts.get('first'))?.attempts).toHaveLength(1)
})

/** A device that signs transactions of so many recipients and inputs. */
const limited = (
  limits: NonNullable<TransactionSigner['limits']>,
): TransactionSigner & { readonly sizes: string[] } => {
  const sizes: string[] = []
  return {
    limits,
    sizes,
    sign: async (requests, { transactions }) => {
      for (const { inputs, outputs } of transactions) {
        sizes.push(`${inputs.length} to ${outputs.length}`)
        if (inputs.length > limits.maxInputs! || outputs.length > limits.maxRecipients! + 1)
          throw signerLimit('maxInputs', 'outputs', 'The device cannot sign it', 'Plan it with this signer.')
      }
      return requests.map(({ sighash }) => schnorr.sign(sighash, fromHex(devnode.accounts[0]!.privateKeyHex)))
    },
  }
}

it('obeys the limits of a signer in batches, and joins no more UTXOs than it can sign', async () => {
  for (let utxo = 0; utxo < 6; utxo++) await devnode.fund(devnode.accounts[0]!.address, 400n * KAS)
  await devnode.mine(3)
  const signer = limited({ maxInputs: 3, maxRecipients: 1 })
  queue = createQueue([devnode], memoryJournal(), { signer, batch: { maxWait: 0, splitTo: 10 } })
  await pay('first')
  await pay('second')
  await pay('large', 2_200n * KAS)
  queue.run()
  for (const id of ['first', 'second', 'large']) await mineUntilSettled(id)
  expect(signer.sizes).toContain('3 to 1')
})

it('makes other payments beside one that exceeds what the signer can sign', async () => {
  const signer = limited({ maxInputs: 9, maxRecipients: 9, maxAmount: 2_000n * KAS })
  start({ signer })
  await pay('large', 2_001n * KAS)
  await pay('second')
  await mineUntilSettled('second')
  expect(await queue.payouts.get('large')).toMatchObject({ state: 'waiting', reason: 'signer' })
})

describe('an address that is one of a contract', () => {
  /** As `createContracts` adds it. */
  const refuse = (address: string): void => {
    const scripts = new Set([toScriptKey(toScriptPublicKey(address))])
    feature(partsOf(queue.engine), paymentChecks).add(createContractCheck(scripts))
  }

  it('is refused', async () => {
    start()
    await pay('before')
    refuse(recipients.address(0))
    const error = { name: 'PayoutError', code: 'invalid-argument', argument: 'address' }
    await expect(pay('after')).rejects.toMatchObject(error)
    expect(await pay('before')).toMatchObject({ id: 'before' }) // it is stored
  })

  it('lets its payment wait, and no other one', async () => {
    queue = createQueue([devnode], memoryJournal())
    await pay('contract')
    await queue.payouts.pay('other', { address: recipients.address(1), amount: KAS })
    refuse(recipients.address(0))
    queue.run()
    await mineUntilSettled('other')
    await expect.poll(() => queue.payouts.get('contract')).toMatchObject({ state: 'waiting', reason: 'recipient' })
    expect(await queue.payouts.cancel('contract')).toMatchObject({ state: 'cancelled' })
  })
})
