func.func @static_layout() -> !fly.layout<(4,8):(1,4)> {
  %layout = fly.static : !fly.layout<(4,8):(1,4)>
  return %layout : !fly.layout<(4,8):(1,4)>
}
