import type { Account } from './usePay'

/** A funded account of the devnode, whose key is public. Null in a build: there the user's browser wallet pays. */
export const useDevAccount = (): Account | null => (useRuntimeConfig().public.devAccount as Account | undefined) ?? null
