;; Adds boosted symmetric trees of depth six to the sums of rows, four rows at a time.
;;
;; `npm run assemble` writes its bytes to tree-sums.wasm.ts; tree-memory.ts fills the memory and calls.
;; A tree is 292 bytes: 64 leaves (f32), six thresholds (f32), the six columns they are for (u16).
(module
  (memory (export "memory") 8 8)
  (func (export "addTrees")
    (param $tree i32) (param $treesEnd i32)
    (param $values i32) (param $columnBytes i32)
    ;; The four rows of a group are neighbours; a group is the number of bytes (u32) before them in each column.
    (param $groups i32) (param $groupsEnd i32)
    (param $sums i32)
    (local $group i32) (local $at i32) (local $leaf v128)
    (local $column0 i32) (local $column1 i32) (local $column2 i32)
    (local $column3 i32) (local $column4 i32) (local $column5 i32)
    (local $threshold0 v128) (local $threshold1 v128) (local $threshold2 v128)
    (local $threshold3 v128) (local $threshold4 v128) (local $threshold5 v128)
    (block $done
      (br_if $done (i32.ge_u (local.get $groups) (local.get $groupsEnd)))
      (loop $nextTree
        (br_if $done (i32.ge_u (local.get $tree) (local.get $treesEnd)))
        (local.set $threshold0 (v128.load32_splat offset=256 (local.get $tree)))
        (local.set $threshold1 (v128.load32_splat offset=260 (local.get $tree)))
        (local.set $threshold2 (v128.load32_splat offset=264 (local.get $tree)))
        (local.set $threshold3 (v128.load32_splat offset=268 (local.get $tree)))
        (local.set $threshold4 (v128.load32_splat offset=272 (local.get $tree)))
        (local.set $threshold5 (v128.load32_splat offset=276 (local.get $tree)))
        (local.set $column0 (i32.add (local.get $values) (i32.mul (local.get $columnBytes) (i32.load16_u offset=280 (local.get $tree)))))
        (local.set $column1 (i32.add (local.get $values) (i32.mul (local.get $columnBytes) (i32.load16_u offset=282 (local.get $tree)))))
        (local.set $column2 (i32.add (local.get $values) (i32.mul (local.get $columnBytes) (i32.load16_u offset=284 (local.get $tree)))))
        (local.set $column3 (i32.add (local.get $values) (i32.mul (local.get $columnBytes) (i32.load16_u offset=286 (local.get $tree)))))
        (local.set $column4 (i32.add (local.get $values) (i32.mul (local.get $columnBytes) (i32.load16_u offset=288 (local.get $tree)))))
        (local.set $column5 (i32.add (local.get $values) (i32.mul (local.get $columnBytes) (i32.load16_u offset=290 (local.get $tree)))))
        (local.set $group (local.get $groups))
        (loop $nextGroup
          (local.set $at (i32.load (local.get $group)))
          ;; An answer is -1 where the value is above. Doubled and added up they are minus the number of the leaf.
          (local.set $leaf
            (f32x4.gt (v128.load align=4 (i32.add (local.get $column0) (local.get $at))) (local.get $threshold0)))
          (local.set $leaf (i32x4.add (i32x4.add (local.get $leaf) (local.get $leaf))
            (f32x4.gt (v128.load align=4 (i32.add (local.get $column1) (local.get $at))) (local.get $threshold1))))
          (local.set $leaf (i32x4.add (i32x4.add (local.get $leaf) (local.get $leaf))
            (f32x4.gt (v128.load align=4 (i32.add (local.get $column2) (local.get $at))) (local.get $threshold2))))
          (local.set $leaf (i32x4.add (i32x4.add (local.get $leaf) (local.get $leaf))
            (f32x4.gt (v128.load align=4 (i32.add (local.get $column3) (local.get $at))) (local.get $threshold3))))
          (local.set $leaf (i32x4.add (i32x4.add (local.get $leaf) (local.get $leaf))
            (f32x4.gt (v128.load align=4 (i32.add (local.get $column4) (local.get $at))) (local.get $threshold4))))
          (local.set $leaf (i32x4.add (i32x4.add (local.get $leaf) (local.get $leaf))
            (f32x4.gt (v128.load align=4 (i32.add (local.get $column5) (local.get $at))) (local.get $threshold5))))
          ;; Now the address of each leaf.
          (local.set $leaf (i32x4.sub (i32x4.splat (local.get $tree)) (i32x4.shl (local.get $leaf) (i32.const 2))))
          (v128.store align=4 (i32.add (local.get $sums) (local.get $at))
            (f32x4.add
              (v128.load align=4 (i32.add (local.get $sums) (local.get $at)))
              (v128.load32_lane 3 (i32x4.extract_lane 3 (local.get $leaf))
                (v128.load32_lane 2 (i32x4.extract_lane 2 (local.get $leaf))
                  (v128.load32_lane 1 (i32x4.extract_lane 1 (local.get $leaf))
                    (v128.load32_zero (i32x4.extract_lane 0 (local.get $leaf))))))))
          (local.set $group (i32.add (local.get $group) (i32.const 4)))
          (br_if $nextGroup (i32.lt_u (local.get $group) (local.get $groupsEnd))))
        (local.set $tree (i32.add (local.get $tree) (i32.const 292)))
        (br $nextTree)))))
