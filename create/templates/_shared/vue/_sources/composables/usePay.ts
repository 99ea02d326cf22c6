import { ref, toValue, type MaybeRefOrGetter } from 'vue'
import { ChainError, kaspaToSompi, useChain, useTransaction, useUtxo, useWallet } from 'vue-chain'

/** An address with its private key. */
export interface Account {
  readonly address: string
  readonly privateKeyHex: string
}

/** Pays from an account or, without one, with the user's browser wallet. */
export function usePay(account: MaybeRefOrGetter<Account | null>) {
  const { init } = useChain()
  const { track, matureEntries } = useUtxo()
  const { send } = useTransaction()
  const { sendKaspa } = useWallet()
  const isPaying = ref(false)

  /** `amount` in KAS, as the user writes it. Returns the id of the transaction. */
  async function pay(to: string, amount: string): Promise<string> {
    isPaying.value = true
    try {
      const from = toValue(account)
      return await (from === null ? sendKaspa(to, kaspaToSompi(amount)) : payFrom(from, to, kaspaToSompi(amount)))
    } finally {
      isPaying.value = false
    }
  }

  async function payFrom({ address, privateKeyHex }: Account, to: string, amount: bigint): Promise<string> {
    await Promise.all([init(), track([address])]) // the code that signs, and the UTXOs
    const { transactionIds } = await send({
      entries: matureEntries.value,
      outputs: [{ address: to, amount }],
      changeAddress: address,
      privateKeys: [privateKeyHex],
    })
    return transactionIds.at(-1)!
  }

  return { pay, isPaying }
}

/** A text for the user: what happened, and the remedy where there is one. */
export const explain = (error: unknown): string =>
  error instanceof ChainError ? [error.message, error.hint].filter(Boolean).join('. ') : String(error)

/** Whether the network may have the payment all the same, such as after a refusal: it is not paid again then. */
export const mayBePaid = (error: unknown): error is ChainError =>
  error instanceof ChainError && error.outcome === 'unknown'
