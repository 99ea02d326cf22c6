import type { ChainEngineOptions } from '../../../engine/options.js'
import type { FakeAccount, AccountState } from '../account-state.js'
import { type SafeTransaction, fromSafeTransaction, toSafeScript } from '../safe-transaction.js'
import { loadCode, onceLoaded } from '../../../loading/load-code.js'
import { toScriptPublicKey } from '../../../model/address.js'
import { blake2b256 } from '../../../model/hashing.js'
import { toHex } from '../../../model/hex.js'
import { NATIVE_SUBNETWORK } from '../../../model/transaction.js'
import { transactionId } from '../../../model/transaction-id.js'

/** A devnode as a fake wallet uses it; in another process than the devnode, `engineOptions` with its URL are enough. */
export interface WalletDevnode {
  readonly engineOptions: ChainEngineOptions
}

/** The node that a fake wallet is connected to. */
export interface WalletNode {
  /**
   * The unsigned transactions of a payment in the order of submission; the last one pays. Rejects with `NodeFailure`.
   */
  readonly build: (payment: FakePayment) => Promise<readonly SafeTransaction[]>
  /** Signs what the account can sign, and submits. Rejects with `NodeFailure`. */
  readonly send: (transaction: SafeTransaction, account: FakeAccount) => Promise<void>
  /** Sompi; `otherwise` where the node knows no balances. Rejects with `NodeFailure`. */
  readonly balance: (address: string, otherwise: WalletFunds) => Promise<WalletFunds>
}

/** Sompi. */
export interface WalletFunds {
  readonly confirmed: bigint
  readonly unconfirmed: bigint
}

/** Why a node did not build or accept a payment; each wallet has words of its own for it. */
export class NodeFailure extends Error {
  readonly isInsufficient: boolean

  constructor(message: string, isInsufficient: boolean, cause: unknown) {
    super(message, { cause })
    this.isInsufficient = isInsufficient
  }
}

/** Sompi that a payment costs where there is no node. */
const FEE = 10_000n

/** A node that has every fund and takes every payment: nothing is sent. */
function createNoNode(): WalletNode {
  let nonce = 0
  return {
    build: (payment) => Promise.resolve([toPaymentTransaction({ ...payment, fee: FEE + payment.fee }, nonce++)]),
    send: () => Promise.resolve(),
    balance: (_, otherwise) => Promise.resolve(otherwise),
  }
}

export const openWalletNode = (devnode: WalletDevnode | undefined): WalletNode =>
  devnode === undefined ? createNoNode() : createDevnodeNode(devnode)

/**
 * The devnode as the node of a wallet, by a connection of its own, which is made at the first call and again after it
 * was lost. It ends with the devnode: nothing reconnects by itself.
 */
function createDevnodeNode({ engineOptions }: WalletDevnode): WalletNode {
  const opened = onceLoaded(async () => {
    const { openWalletEngine } = await loadCode(() => import('./wallet-engine.js'))
    return openWalletEngine(engineOptions)
  })
  return {
    build: async (payment) => (await opened()).build(payment),
    send: async (transaction, account) => (await opened()).send(transaction, account),
    balance: async (address, otherwise) => (await opened()).balance(address, otherwise),
  }
}

/** The initial state of a wallet: on the network of its devnode, unless it names another one. */
export function stateOn({
  state,
  devnode,
}: {
  readonly state?: Partial<AccountState> | undefined
  readonly devnode?: WalletDevnode | undefined
}): Partial<AccountState> {
  const network = devnode?.engineOptions.network
  return { ...(network !== undefined && { network }), ...state }
}

/** A payment. Amounts in sompi. */
export interface FakePayment {
  readonly from: string
  readonly outputs: readonly { readonly address: string; readonly amount: bigint }[]
  /** Beyond what the node requires. */
  readonly fee: bigint
  /** Hex. */
  readonly payload: string
}

const CHANGE = 5_000_000_000n

/**
 * An unsigned transaction for a payment, with one made-up input and a change output. `nonce` distinguishes equal
 * payments.
 */
function toPaymentTransaction({ from, outputs, fee, payload }: FakePayment, nonce: number): SafeTransaction {
  const own = toSafeScript(toScriptPublicKey(from))
  const amount = outputs.reduce((sum, output) => sum + output.amount, 0n)
  const unsigned = {
    version: 0,
    inputs: [
      {
        transactionId: toHex(blake2b256(new TextEncoder().encode(`${from} ${nonce}`))),
        index: 0,
        sequence: '0',
        sigOpCount: 1,
        signatureScript: '',
        utxo: { amount: String(amount + fee + CHANGE), scriptPublicKey: own },
      },
    ],
    outputs: [
      ...outputs.map((output) => ({
        value: String(output.amount),
        scriptPublicKey: toSafeScript(toScriptPublicKey(output.address)),
      })),
      { value: String(CHANGE), scriptPublicKey: own },
    ],
    lockTime: '0',
    gas: '0',
    subnetworkId: NATIVE_SUBNETWORK,
    payload,
  }
  return { id: transactionId(fromSafeTransaction(unsigned)), ...unsigned }
}
