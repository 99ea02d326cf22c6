import type { Account } from './usePay'

/** The devnode of `npm run dev`, see modules/devnode.ts. */
interface Devnode {
  /** A funded account, whose key is public. */
  readonly account: Account
  /** An address to pay to. */
  readonly recipient: string
}

/** Null in a build: there the user's browser wallet pays. */
export const useDevnode = (): Devnode | null => (useRuntimeConfig().public.devnode as Devnode | undefined) ?? null
