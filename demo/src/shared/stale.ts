import { shallowReadonly, shallowRef, watch, type Ref, type WatchSource } from 'vue'

/** Since when something is no longer fresh, as a time of day; undefined while it is, and before it ever was. */
export function useStaleSince(isFresh: WatchSource<boolean>): Readonly<Ref<string | undefined>> {
  const since = shallowRef<string>()
  watch(isFresh, (now, before) => {
    since.value = now || !before ? undefined : new Date().toLocaleTimeString(undefined, { hour12: false })
  })
  return shallowReadonly(since)
}
