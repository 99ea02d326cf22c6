import { PENDING, toFailed, type InfiniteQueryState } from './state.js'
import type { AnyPages, AnyQuery } from './watched-query.js'

/** The state before the first attempt: the rendered result, else the placeholder. */
export function toFirstState({ options, environment, rendered }: AnyQuery | AnyPages): InfiniteQueryState<unknown> {
  const { enabled = true, placeholderData, select } = options
  if (rendered !== undefined && 'error' in rendered) return toFailed(rendered.error)
  if (rendered !== undefined) {
    const hasNextPage = 'getNextPageParam' in options && isOpen(options, rendered.data as Pages)
    return { ...toSelected(() => rendered.data, select as Select), dataUpdatedAt: rendered.updatedAt, hasNextPage }
  }
  const toPlaceholder = (): unknown =>
    typeof placeholderData === 'function'
      ? (placeholderData as (previous: unknown) => unknown)(undefined)
      : placeholderData
  return { ...toSelected(toPlaceholder, select as Select), isFetching: enabled && environment.isAvailable }
}

type Pages = Parameters<NonNullable<AnyPages['options']['select']>>[0]
type Select = AnyQuery['options']['select']

function isOpen({ getNextPageParam }: AnyPages['options'], { pages }: Pages): boolean {
  try {
    const next = getNextPageParam(pages.at(-1), pages)
    return next !== undefined && next !== null
  } catch {
    return false // as the query itself has it: the page is there, and a refetch fails
  }
}

function toSelected(read: () => unknown, select: Select): InfiniteQueryState<unknown> {
  try {
    const result = read()
    if (result === undefined) return PENDING
    return { ...PENDING, status: 'success', data: select === undefined ? result : select(result) }
  } catch (cause) {
    return toFailed(cause)
  }
}
