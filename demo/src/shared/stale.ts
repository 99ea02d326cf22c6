import { shallowReadonly, shallowRef, watch, type Ref, type WatchSource } from 'vue'

/** The time of day at which a source became stale; undefined while it is fresh and before it was fresh. */
export function useStaleSince(isFresh: WatchSource<boolean>): Readonly<Ref<string | undefined>> {
  const since = shallowRef<string>()
  watch(isFresh, (now, before) => {
    since.value = now || !before ? undefined : new Date().toLocaleTimeString(undefined, { hour12: false })
  })
  return shallowReadonly(since)
}
