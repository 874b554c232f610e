func.func @async(%a: i32, %b: !gpu.async.token) {
  %0 = gpu.wait async [%b]
  gpu.wait [%0]
  return
}
