;; The source of the bytes in next-stop.ts. next-stop.test.ts assembles this text and compares.
(module
  (memory (export "memory") 1)

  ;; The position of the first quote, backslash or control character in [from, to), or any number >= to.
  ;; A vector may read past `to`; the caller ignores a position from there.
  (func (export "find") (param $from i32) (param $to i32) (result i32)
    (local $bytes v128) (local $stops v128)
    loop $again
      ;; if (from >= to) return from
      local.get $from
      local.get $to
      i32.ge_u
      if
        local.get $from
        return
      end

      ;; bytes = the next 16 bytes
      local.get $from
      v128.load align=1
      local.tee $bytes

      ;; Flipping bit 1 turns the quote (0x22) into 0x20 and keeps control characters below 0x20,
      ;; so one comparison finds both: (bytes ^ 0x02) < 0x21
      i32.const 0x02
      i8x16.splat
      v128.xor
      i32.const 0x21
      i8x16.splat
      i8x16.lt_u

      ;; stops = those, or a backslash
      local.get $bytes
      i32.const 0x5c
      i8x16.splat
      i8x16.eq
      v128.or
      local.tee $stops

      ;; if any: return from + the index of the first
      v128.any_true
      if
        local.get $from
        local.get $stops
        i8x16.bitmask
        i32.ctz
        i32.add
        return
      end

      ;; from += 16
      local.get $from
      i32.const 16
      i32.add
      local.set $from
      br $again
    end
    unreachable
  )
)
