import { computed, shallowReactive, type ComputedRef } from 'vue'
import { ChainError } from '../../../../errors/chain-error.js'
import { isAddressOnNetwork } from '../../../../model/network-of-address.js'
import { useWallet } from '../../composables/useWallet.js'
import type { ReceivePaymentTexts } from './replacements.js'

/** What is paid by the browser wallet. */
export interface WalletPayment {
  readonly address: string
  /** Sompi. */
  readonly amount: bigint
}

export interface UseWalletPaymentReturn {
  /** Pays; null without a connected wallet of the address's network. */
  readonly pay: ComputedRef<(() => void) | null>
  readonly label: ComputedRef<string>
  /** Whether the button is inactive: the wallet is busy, or has paid. */
  readonly isBusy: ComputedRef<boolean>
  /** Why it has not paid, as far as it is known; null without a failure. */
  readonly problem: ComputedRef<string | null>
}

/** How far the payment by the wallet is. `unknown`: it may have been sent. */
type Step = 'idle' | 'prompting' | 'sent' | 'failed' | 'unknown'

/**
 * Pays through the connected browser wallet, each request once: what was sent is not offered again, nor, after a
 * reload, what may have been sent, and it says nothing of the request that is shown after it.
 */
export function useWalletPayment(
  payment: () => WalletPayment | null,
  texts: () => ReceivePaymentTexts,
): UseWalletPaymentReturn {
  const wallet = useWallet()
  /** By the address of the request, which no other one has. */
  const steps = shallowReactive(new Map<string, Step>())
  const step = computed((): Step => {
    const due = payment()
    if (due === null) return 'idle'
    return steps.get(due.address) ?? (isInterrupted(due.address) ? 'unknown' : 'idle')
  })
  /** Whether a payment of this tab, before a reload, may have been sent. */
  const isInterrupted = (to: string): boolean =>
    isUsable(to) && wallet.interrupted.value.some(({ outputs }) => outputs.some(({ address }) => address === to))
  const name = computed(() => wallet.wallet.value?.name ?? '')
  const isUsable = (to: string): boolean => {
    const [own, network] = [wallet.address.value, wallet.network.value]
    return wallet.isConnected.value && own !== null && isAddressOnNetwork(to, network) && prefixOf(own) === prefixOf(to)
  }
  const send = async ({ address, amount }: WalletPayment): Promise<void> => {
    steps.set(address, 'prompting')
    try {
      await wallet.sendKaspa(address, amount)
      steps.set(address, 'sent')
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      steps.set(address, error.outcome === 'unsent' ? 'failed' : 'unknown')
    }
  }
  return {
    pay: computed(() => {
      const due = payment()
      return due === null || !isUsable(due.address) ? null : () => void send(due)
    }),
    label: computed(() => {
      if (step.value === 'prompting') return texts().continueIn(name.value)
      return step.value === 'sent' ? texts().sentWith(name.value) : texts().payWith(name.value)
    }),
    isBusy: computed(() => step.value === 'prompting' || step.value === 'sent' || step.value === 'unknown'),
    problem: computed(() =>
      step.value === 'failed' || step.value === 'unknown'
        ? texts().notSent(name.value, step.value === 'unknown')
        : null,
    ),
  }
}

const prefixOf = (address: string): string => address.slice(0, address.indexOf(':'))
