import { useSyncExternalStore } from 'react'

/** A value that components can follow with `useStore`. */
export interface Store<Value> {
  get: () => Value
  set: (next: Value) => void
  subscribe: (listener: () => void) => () => void
}

/** @param get returns the same value until `set` is called */
export function createStore<Value>(get: () => Value, set: (next: Value) => void): Store<Value> {
  const listeners = new Set<() => void>()
  return {
    get,
    set: (next) => {
      set(next)
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      // Another tab wrote to the browser's storage.
      addEventListener('storage', listener)
      return () => {
        listeners.delete(listener)
        removeEventListener('storage', listener)
      }
    },
  }
}

/** @param prerendered the value in prerendered documents and until they are hydrated */
export function useStore<Value>({ subscribe, get }: Store<Value>, prerendered?: Value): Value {
  return useSyncExternalStore(subscribe, get, () => prerendered as Value)
}

/** `sessionStorage` lasts as long as the tab. */
type StorageName = 'localStorage' | 'sessionStorage'

/** A text in the browser's storage; null while there is none. */
export function createStoredText(storage: StorageName, key: string): Store<string | null> {
  return createStore(
    () => readStored(storage, key),
    (text) => writeStored(storage, key, text),
  )
}

/** Texts that the browser refused to store because its storage is off or full. They last as long as the page. */
const unstored = new Map<string, string | null>()

export function readStored(storage: StorageName, key: string): string | null {
  const text = unstored.get(key)
  if (text !== undefined) return text
  try {
    return globalThis[storage].getItem(key)
  } catch {
    return null
  }
}

/** @param text null to remove it */
export function writeStored(storage: StorageName, key: string, text: string | null): void {
  unstored.delete(key)
  try {
    if (text === null) globalThis[storage].removeItem(key)
    else globalThis[storage].setItem(key, text)
  } catch {
    unstored.set(key, text)
  }
}
