// What XLA's programs call for `lazymlir_matmul` and `lazymlir_convolution*`: handlers of XLA's foreign function interface (xla/ffi/api/c_api.h,
// whose structures stand at the head) that hand buffers to torch's kernels through its C interface (torch/csrc/inductor/aoti_torch/c/shim.h).
// library.py compiles this by MLIR's own execution engine. Nothing of Python is run by a handler. What `numbers` are is said at each handler
// and made in passes/library/.

!version = !llvm.struct<(i64, ptr, i32, i32)>                    // size, extensions, major, minor
!metadata = !llvm.struct<(i64, struct<(i64, ptr, i32, i32)>, i32)>  // size, version, traits
!extension = !llvm.struct<(i64, i32, ptr, ptr)>                  // size, kind, next, metadata
!list = !llvm.struct<(i64, ptr, i64, ptr, ptr)>                  // size, extensions, count, kinds, items
!attributes = !llvm.struct<(i64, ptr, i64, ptr, ptr, ptr)>       // size, extensions, count, kinds, names, items
!frame = !llvm.struct<(i64, ptr, ptr, ptr, i32, struct<(i64, ptr, i64, ptr, ptr)>, struct<(i64, ptr, i64, ptr, ptr)>, struct<(i64, ptr, i64, ptr, ptr, ptr)>)>
                                                                 // size, extensions, api, context, stage, arguments, results, attributes
!buffer = !llvm.struct<(i64, ptr, i32, ptr, i64, ptr)>           // size, extensions, type, data, rank, dims
!array = !llvm.struct<(i32, i64, ptr)>                           // type, count, data
!api = !llvm.struct<(i64, ptr, struct<(i64, ptr, i32, i32)>, ptr, ptr)>  // size, extensions, version, internal, XLA_FFI_Error_Create
!failure = !llvm.struct<(i64, ptr, ptr, i32)>                    // size, extensions, message, code

module {
  llvm.func @aoti_torch_create_tensor_from_blob(!llvm.ptr, i64, !llvm.ptr, !llvm.ptr, i64, i32, i32, i32, !llvm.ptr) -> i32
  llvm.func @aoti_torch_delete_tensor_object(!llvm.ptr) -> i32
  llvm.func @aoti_torch_copy_(!llvm.ptr, !llvm.ptr, i32) -> i32
  llvm.func @aoti_torch_cpu_bmm_out(!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  llvm.func @aoti_torch_cpu_convolution(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, !llvm.ptr, i64, !llvm.ptr, i64, i32, !llvm.ptr, i64, i64, !llvm.ptr) -> i32
  llvm.func @aoti_torch_cpu_convolution_backward(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, !llvm.ptr, i64, !llvm.ptr, i64, !llvm.ptr, i64, i32, !llvm.ptr, i64, i64, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32

  llvm.func @pthread_mutex_init(!llvm.ptr, !llvm.ptr) -> i32
  llvm.func @pthread_mutex_lock(!llvm.ptr) -> i32
  llvm.func @pthread_mutex_unlock(!llvm.ptr) -> i32

  // Room for a pthread_mutex_t: one kernel at a time, since each uses all cores.
  llvm.mlir.global internal @turn(dense<0> : tensor<16xi64>) : !llvm.array<16 x i64>

  // Whether the process is ending: then no kernel is begun any more.
  llvm.mlir.global internal @closed(false) : i1

  // torch's function that says what failed last in this thread; null where torch has none (before 2.13).
  llvm.mlir.global internal @explain() : !llvm.ptr {
    %null = llvm.mlir.zero : !llvm.ptr
    llvm.return %null : !llvm.ptr
  }

  llvm.mlir.global internal constant @failed("a kernel of torch failed\00")
  llvm.mlir.global internal constant @ending("the process is ending\00")

  // Whether XLA only asks which version of its interface a handler is for; then it is answered.
  llvm.func internal @is_query(%frame: !llvm.ptr) -> i1 {
    %no = llvm.mlir.constant(false) : i1
    %yes = llvm.mlir.constant(true) : i1
    %null = llvm.mlir.zero : !llvm.ptr
    %extensions = llvm.getelementptr %frame[0, 1] : (!llvm.ptr) -> !llvm.ptr, !frame
    %extension = llvm.load %extensions : !llvm.ptr -> !llvm.ptr
    %is_run = llvm.icmp "eq" %extension, %null : !llvm.ptr
    llvm.cond_br %is_run, ^run, ^look
  ^look:
    %metadata_kind = llvm.mlir.constant(1 : i32) : i32
    %kind_place = llvm.getelementptr %extension[0, 1] : (!llvm.ptr) -> !llvm.ptr, !extension
    %kind = llvm.load %kind_place : !llvm.ptr -> i32
    %is_metadata = llvm.icmp "eq" %kind, %metadata_kind : i32
    llvm.cond_br %is_metadata, ^answer, ^run
  ^answer:
    %metadata_place = llvm.getelementptr %extension[0, 3] : (!llvm.ptr) -> !llvm.ptr, !extension
    %metadata = llvm.load %metadata_place : !llvm.ptr -> !llvm.ptr
    %major = llvm.mlir.constant(0 : i32) : i32
    %minor = llvm.mlir.constant(1 : i32) : i32
    %traits = llvm.mlir.constant(0 : i32) : i32
    %major_place = llvm.getelementptr %metadata[0, 1, 2] : (!llvm.ptr) -> !llvm.ptr, !metadata
    %minor_place = llvm.getelementptr %metadata[0, 1, 3] : (!llvm.ptr) -> !llvm.ptr, !metadata
    %traits_place = llvm.getelementptr %metadata[0, 2] : (!llvm.ptr) -> !llvm.ptr, !metadata
    llvm.store %major, %major_place : i32, !llvm.ptr
    llvm.store %minor, %minor_place : i32, !llvm.ptr
    llvm.store %traits, %traits_place : i32, !llvm.ptr
    llvm.return %yes : i1
  ^run:
    llvm.return %no : i1
  }

  // Takes a turn; false, and none is taken, where the process is ending.
  llvm.func internal @begin() -> i1 {
    %turn = llvm.mlir.addressof @turn : !llvm.ptr
    %closed_place = llvm.mlir.addressof @closed : !llvm.ptr
    %locked = llvm.call @pthread_mutex_lock(%turn) : (!llvm.ptr) -> i32
    %closed = llvm.load %closed_place : !llvm.ptr -> i1
    llvm.cond_br %closed, ^refuse, ^go
  ^refuse:
    %unlocked = llvm.call @pthread_mutex_unlock(%turn) : (!llvm.ptr) -> i32
    %no = llvm.mlir.constant(false) : i1
    llvm.return %no : i1
  ^go:
    %yes = llvm.mlir.constant(true) : i1
    llvm.return %yes : i1
  }

  llvm.func internal @end() {
    %turn = llvm.mlir.addressof @turn : !llvm.ptr
    %unlocked = llvm.call @pthread_mutex_unlock(%turn) : (!llvm.ptr) -> i32
    llvm.return
  }

  // Waits for the kernel that runs, and lets no other one begin.
  llvm.func @close() {
    %turn = llvm.mlir.addressof @turn : !llvm.ptr
    %closed_place = llvm.mlir.addressof @closed : !llvm.ptr
    %yes = llvm.mlir.constant(true) : i1
    %locked = llvm.call @pthread_mutex_lock(%turn) : (!llvm.ptr) -> i32
    llvm.store %yes, %closed_place : i1, !llvm.ptr
    %unlocked = llvm.call @pthread_mutex_unlock(%turn) : (!llvm.ptr) -> i32
    llvm.return
  }

  // An error of XLA's.
  llvm.func internal @failure(%frame: !llvm.ptr, %message: !llvm.ptr) -> !llvm.ptr {
    %null = llvm.mlir.zero : !llvm.ptr
    %one = llvm.mlir.constant(1 : i64) : i64
    %size = llvm.mlir.constant(28 : i64) : i64
    %internal = llvm.mlir.constant(13 : i32) : i32
    %failure = llvm.alloca %one x !failure : (i64) -> !llvm.ptr
    %size_place = llvm.getelementptr %failure[0, 0] : (!llvm.ptr) -> !llvm.ptr, !failure
    %extension_place = llvm.getelementptr %failure[0, 1] : (!llvm.ptr) -> !llvm.ptr, !failure
    %message_place = llvm.getelementptr %failure[0, 2] : (!llvm.ptr) -> !llvm.ptr, !failure
    %code_place = llvm.getelementptr %failure[0, 3] : (!llvm.ptr) -> !llvm.ptr, !failure
    llvm.store %size, %size_place : i64, !llvm.ptr
    llvm.store %null, %extension_place : !llvm.ptr, !llvm.ptr
    llvm.store %message, %message_place : !llvm.ptr, !llvm.ptr
    llvm.store %internal, %code_place : i32, !llvm.ptr
    %api_place = llvm.getelementptr %frame[0, 2] : (!llvm.ptr) -> !llvm.ptr, !frame
    %api = llvm.load %api_place : !llvm.ptr -> !llvm.ptr
    %create_place = llvm.getelementptr %api[0, 4] : (!llvm.ptr) -> !llvm.ptr, !api
    %create = llvm.load %create_place : !llvm.ptr -> !llvm.ptr
    %error = llvm.call %create(%failure) : !llvm.ptr, (!llvm.ptr) -> !llvm.ptr
    llvm.return %error : !llvm.ptr
  }

  // The error for a status of torch's interface; null for 0.
  llvm.func internal @verdict(%frame: !llvm.ptr, %status: i32) -> !llvm.ptr {
    %null = llvm.mlir.zero : !llvm.ptr
    %good = llvm.mlir.constant(0 : i32) : i32
    %is_good = llvm.icmp "eq" %status, %good : i32
    llvm.cond_br %is_good, ^done(%null : !llvm.ptr), ^failed
  ^failed:
    %failed = llvm.mlir.addressof @failed : !llvm.ptr
    %explain_place = llvm.mlir.addressof @explain : !llvm.ptr
    %explain = llvm.load %explain_place : !llvm.ptr -> !llvm.ptr
    %is_mute = llvm.icmp "eq" %explain, %null : !llvm.ptr
    llvm.cond_br %is_mute, ^tell(%failed : !llvm.ptr), ^explain
  ^explain:
    %explained = llvm.call %explain() : !llvm.ptr, () -> !llvm.ptr
    llvm.br ^tell(%explained : !llvm.ptr)
  ^tell(%message: !llvm.ptr):
    %error = llvm.call @failure(%frame, %message) : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
    llvm.br ^done(%error : !llvm.ptr)
  ^done(%verdict: !llvm.ptr):
    llvm.return %verdict : !llvm.ptr
  }

  // The buffer of argument `place`, and that of the only result.
  llvm.func internal @argument(%frame: !llvm.ptr, %place: i64) -> !llvm.ptr {
    %items_place = llvm.getelementptr %frame[0, 5, 4] : (!llvm.ptr) -> !llvm.ptr, !frame
    %items = llvm.load %items_place : !llvm.ptr -> !llvm.ptr
    %item = llvm.getelementptr %items[%place] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
    %buffer = llvm.load %item : !llvm.ptr -> !llvm.ptr
    llvm.return %buffer : !llvm.ptr
  }

  llvm.func internal @result(%frame: !llvm.ptr) -> !llvm.ptr {
    %items_place = llvm.getelementptr %frame[0, 6, 4] : (!llvm.ptr) -> !llvm.ptr, !frame
    %items = llvm.load %items_place : !llvm.ptr -> !llvm.ptr
    %buffer = llvm.load %items : !llvm.ptr -> !llvm.ptr
    llvm.return %buffer : !llvm.ptr
  }

  // The number that argument `place` is, of four arguments; else 0.
  llvm.func internal @start(%frame: !llvm.ptr, %place: i64) -> i64 {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %four = llvm.mlir.constant(4 : i64) : i64
    %count_place = llvm.getelementptr %frame[0, 5, 2] : (!llvm.ptr) -> !llvm.ptr, !frame
    %count = llvm.load %count_place : !llvm.ptr -> i64
    %given = llvm.icmp "eq" %count, %four : i64
    llvm.cond_br %given, ^read, ^done(%zero : i64)
  ^read:
    %buffer = llvm.call @argument(%frame, %place) : (!llvm.ptr, i64) -> !llvm.ptr
    %data_place = llvm.getelementptr %buffer[0, 3] : (!llvm.ptr) -> !llvm.ptr, !buffer
    %data = llvm.load %data_place : !llvm.ptr -> !llvm.ptr
    %number = llvm.load %data : !llvm.ptr -> i64
    llvm.br ^done(%number : i64)
  ^done(%start: i64):
    llvm.return %start : i64
  }

  // The only attribute, `numbers`.
  llvm.func internal @numbers(%frame: !llvm.ptr) -> !llvm.ptr {
    %items_place = llvm.getelementptr %frame[0, 7, 5] : (!llvm.ptr) -> !llvm.ptr, !frame
    %items = llvm.load %items_place : !llvm.ptr -> !llvm.ptr
    %array = llvm.load %items : !llvm.ptr -> !llvm.ptr
    %data_place = llvm.getelementptr %array[0, 2] : (!llvm.ptr) -> !llvm.ptr, !array
    %data = llvm.load %data_place : !llvm.ptr -> !llvm.ptr
    llvm.return %data : !llvm.ptr
  }

  // Makes at `handle` torch's tensor over a buffer; `view` is an offset, then sizes, then strides. `further` is added to the offset.
  llvm.func internal @tensor(%buffer: !llvm.ptr, %type: i64, %rank: i64, %view: !llvm.ptr, %further: i64, %handle: !llvm.ptr) -> i32 {
    %cpu = llvm.mlir.constant(0 : i32) : i32
    %type_number = llvm.trunc %type : i64 to i32
    %data_place = llvm.getelementptr %buffer[0, 3] : (!llvm.ptr) -> !llvm.ptr, !buffer
    %data = llvm.load %data_place : !llvm.ptr -> !llvm.ptr
    %start = llvm.load %view : !llvm.ptr -> i64
    %offset = llvm.add %start, %further : i64
    %sizes = llvm.getelementptr %view[1] : (!llvm.ptr) -> !llvm.ptr, i64
    %strides = llvm.getelementptr %sizes[%rank] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %status = llvm.call @aoti_torch_create_tensor_from_blob(%data, %rank, %sizes, %strides, %offset, %type_number, %cpu, %cpu, %handle)
      : (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr, i64, i32, i32, i32, !llvm.ptr) -> i32
    llvm.return %status : i32
  }

  // Arguments: x, y, and maybe where in the first and where in the second begins what is read.
  // numbers: type; outermost size; of the result, x and y: outermost stride, view of [batch, rows, columns]
  llvm.func internal @matmul(%frame: !llvm.ptr) -> !llvm.ptr {
    %null = llvm.mlir.zero : !llvm.ptr
    %query = llvm.call @is_query(%frame) : (!llvm.ptr) -> i1
    llvm.cond_br %query, ^answered, ^run
  ^answered:
    llvm.return %null : !llvm.ptr
  ^run:
    %open = llvm.call @begin() : () -> i1
    llvm.cond_br %open, ^go, ^closed
  ^closed:
    %ending = llvm.mlir.addressof @ending : !llvm.ptr
    %refused = llvm.call @failure(%frame, %ending) : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
    llvm.return %refused : !llvm.ptr
  ^go:
    %zero = llvm.mlir.constant(0 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    %three = llvm.mlir.constant(3 : i64) : i64
    %good = llvm.mlir.constant(0 : i32) : i32
    %handles = llvm.alloca %three x !llvm.ptr : (i64) -> !llvm.ptr
    %x_handle = llvm.getelementptr %handles[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %y_handle = llvm.getelementptr %handles[2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %result = llvm.call @result(%frame) : (!llvm.ptr) -> !llvm.ptr
    %x = llvm.call @argument(%frame, %zero) : (!llvm.ptr, i64) -> !llvm.ptr
    %y = llvm.call @argument(%frame, %one) : (!llvm.ptr, i64) -> !llvm.ptr
    %numbers = llvm.call @numbers(%frame) : (!llvm.ptr) -> !llvm.ptr
    %type = llvm.load %numbers : !llvm.ptr -> i64
    %count_place = llvm.getelementptr %numbers[1] : (!llvm.ptr) -> !llvm.ptr, i64
    %count = llvm.load %count_place : !llvm.ptr -> i64
    %result_step_place = llvm.getelementptr %numbers[2] : (!llvm.ptr) -> !llvm.ptr, i64
    %x_step_place = llvm.getelementptr %numbers[10] : (!llvm.ptr) -> !llvm.ptr, i64
    %y_step_place = llvm.getelementptr %numbers[18] : (!llvm.ptr) -> !llvm.ptr, i64
    %result_step = llvm.load %result_step_place : !llvm.ptr -> i64
    %x_step = llvm.load %x_step_place : !llvm.ptr -> i64
    %y_step = llvm.load %y_step_place : !llvm.ptr -> i64
    %two = llvm.mlir.constant(2 : i64) : i64
    %x_start = llvm.call @start(%frame, %two) : (!llvm.ptr, i64) -> i64
    %y_start = llvm.call @start(%frame, %three) : (!llvm.ptr, i64) -> i64
    %result_view = llvm.getelementptr %numbers[3] : (!llvm.ptr) -> !llvm.ptr, i64
    %x_view = llvm.getelementptr %numbers[11] : (!llvm.ptr) -> !llvm.ptr, i64
    %y_view = llvm.getelementptr %numbers[19] : (!llvm.ptr) -> !llvm.ptr, i64
    llvm.br ^each(%zero : i64)
  ^each(%i: i64):
    %result_further = llvm.mul %i, %result_step : i64
    %x_steps = llvm.mul %i, %x_step : i64
    %y_steps = llvm.mul %i, %y_step : i64
    %x_further = llvm.add %x_start, %x_steps : i64
    %y_further = llvm.add %y_start, %y_steps : i64
    llvm.store %null, %handles : !llvm.ptr, !llvm.ptr
    llvm.store %null, %x_handle : !llvm.ptr, !llvm.ptr
    llvm.store %null, %y_handle : !llvm.ptr, !llvm.ptr
    %status_0 = llvm.call @tensor(%result, %type, %three, %result_view, %result_further, %handles) : (!llvm.ptr, i64, i64, !llvm.ptr, i64, !llvm.ptr) -> i32
    %status_1 = llvm.call @tensor(%x, %type, %three, %x_view, %x_further, %x_handle) : (!llvm.ptr, i64, i64, !llvm.ptr, i64, !llvm.ptr) -> i32
    %status_2 = llvm.call @tensor(%y, %type, %three, %y_view, %y_further, %y_handle) : (!llvm.ptr, i64, i64, !llvm.ptr, i64, !llvm.ptr) -> i32
    %status_01 = llvm.or %status_0, %status_1 : i32
    %status = llvm.or %status_01, %status_2 : i32
    %result_tensor = llvm.load %handles : !llvm.ptr -> !llvm.ptr
    %x_tensor = llvm.load %x_handle : !llvm.ptr -> !llvm.ptr
    %y_tensor = llvm.load %y_handle : !llvm.ptr -> !llvm.ptr
    %made = llvm.icmp "eq" %status, %good : i32
    llvm.cond_br %made, ^multiply, ^clear(%status : i32)
  ^multiply:
    %multiplied = llvm.call @aoti_torch_cpu_bmm_out(%result_tensor, %x_tensor, %y_tensor) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
    llvm.br ^clear(%multiplied : i32)
  ^clear(%final: i32):
    %deleted_0 = llvm.call @aoti_torch_delete_tensor_object(%result_tensor) : (!llvm.ptr) -> i32
    %deleted_1 = llvm.call @aoti_torch_delete_tensor_object(%x_tensor) : (!llvm.ptr) -> i32
    %deleted_2 = llvm.call @aoti_torch_delete_tensor_object(%y_tensor) : (!llvm.ptr) -> i32
    %next = llvm.add %i, %one : i64
    %more = llvm.icmp "slt" %next, %count : i64
    %fine = llvm.icmp "eq" %final, %good : i32
    %again = llvm.and %more, %fine : i1
    llvm.cond_br %again, ^each(%next : i64), ^end
  ^end:
    llvm.call @end() : () -> ()
    %verdict = llvm.call @verdict(%frame, %final) : (!llvm.ptr, i32) -> !llvm.ptr
    llvm.return %verdict : !llvm.ptr
  }

  // numbers: type; which of the gradients; rank; groups; views of three tensors; stride, padding, dilation, zeros
  // The three: input, weight, result.
  llvm.func internal @convolution(%frame: !llvm.ptr) -> !llvm.ptr {
    %query = llvm.call @is_query(%frame) : (!llvm.ptr) -> i1
    llvm.cond_br %query, ^answered, ^run
  ^answered:
    %null = llvm.mlir.zero : !llvm.ptr
    llvm.return %null : !llvm.ptr
  ^run:
    %forward = llvm.mlir.constant(true) : i1
    %zero = llvm.mlir.constant(0 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    %x = llvm.call @argument(%frame, %zero) : (!llvm.ptr, i64) -> !llvm.ptr
    %weight = llvm.call @argument(%frame, %one) : (!llvm.ptr, i64) -> !llvm.ptr
    %result = llvm.call @result(%frame) : (!llvm.ptr) -> !llvm.ptr
    %verdict = llvm.call @convolve(%frame, %forward, %x, %weight, %result) : (!llvm.ptr, i1, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> !llvm.ptr
    llvm.return %verdict : !llvm.ptr
  }

  // The three: gradient, input, weight; one of the last two is the result, of which its function only takes the sizes.
  llvm.func internal @convolution_gradient(%frame: !llvm.ptr) -> !llvm.ptr {
    %query = llvm.call @is_query(%frame) : (!llvm.ptr) -> i1
    llvm.cond_br %query, ^answered, ^run
  ^answered:
    %null = llvm.mlir.zero : !llvm.ptr
    llvm.return %null : !llvm.ptr
  ^run:
    %forward = llvm.mlir.constant(false) : i1
    %zero = llvm.mlir.constant(0 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    %gradient = llvm.call @argument(%frame, %zero) : (!llvm.ptr, i64) -> !llvm.ptr
    %other = llvm.call @argument(%frame, %one) : (!llvm.ptr, i64) -> !llvm.ptr
    %result = llvm.call @result(%frame) : (!llvm.ptr) -> !llvm.ptr
    %of_weight = llvm.call @of_weight(%frame) : (!llvm.ptr) -> i1
    %x = llvm.select %of_weight, %other, %result : i1, !llvm.ptr
    %weight = llvm.select %of_weight, %result, %other : i1, !llvm.ptr
    %verdict = llvm.call @convolve(%frame, %forward, %gradient, %x, %weight) : (!llvm.ptr, i1, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> !llvm.ptr
    llvm.return %verdict : !llvm.ptr
  }

  llvm.func internal @of_weight(%frame: !llvm.ptr) -> i1 {
    %weight = llvm.mlir.constant(1 : i64) : i64
    %numbers = llvm.call @numbers(%frame) : (!llvm.ptr) -> !llvm.ptr
    %which_place = llvm.getelementptr %numbers[1] : (!llvm.ptr) -> !llvm.ptr, i64
    %which = llvm.load %which_place : !llvm.ptr -> i64
    %is = llvm.icmp "eq" %which, %weight : i64
    llvm.return %is : i1
  }

  llvm.func internal @convolve(%frame: !llvm.ptr, %forward: i1, %a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr) -> !llvm.ptr {
    %open = llvm.call @begin() : () -> i1
    llvm.cond_br %open, ^go, ^closed
  ^closed:
    %ending = llvm.mlir.addressof @ending : !llvm.ptr
    %refused = llvm.call @failure(%frame, %ending) : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
    llvm.return %refused : !llvm.ptr
  ^go:
    %null = llvm.mlir.zero : !llvm.ptr
    %no = llvm.mlir.constant(0 : i32) : i32
    %zero = llvm.mlir.constant(0 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    %two = llvm.mlir.constant(2 : i64) : i64
    %three = llvm.mlir.constant(3 : i64) : i64
    %six = llvm.mlir.constant(6 : i64) : i64
    %numbers = llvm.call @numbers(%frame) : (!llvm.ptr) -> !llvm.ptr
    %type = llvm.load %numbers : !llvm.ptr -> i64
    %rank_place = llvm.getelementptr %numbers[2] : (!llvm.ptr) -> !llvm.ptr, i64
    %rank = llvm.load %rank_place : !llvm.ptr -> i64
    %groups_place = llvm.getelementptr %numbers[3] : (!llvm.ptr) -> !llvm.ptr, i64
    %groups = llvm.load %groups_place : !llvm.ptr -> i64
    %twice = llvm.mul %rank, %two : i64
    %length = llvm.add %twice, %one : i64
    %a_view = llvm.getelementptr %numbers[4] : (!llvm.ptr) -> !llvm.ptr, i64
    %b_view = llvm.getelementptr %a_view[%length] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %c_view = llvm.getelementptr %b_view[%length] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %space = llvm.sub %rank, %two : i64
    %stride = llvm.getelementptr %c_view[%length] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %padding = llvm.getelementptr %stride[%space] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %dilation = llvm.getelementptr %padding[%space] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    %zeros = llvm.getelementptr %dilation[%space] : (!llvm.ptr, i64) -> !llvm.ptr, i64

    %handles = llvm.alloca %six x !llvm.ptr : (i64) -> !llvm.ptr
    %b_handle = llvm.getelementptr %handles[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %c_handle = llvm.getelementptr %handles[2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %made_0 = llvm.getelementptr %handles[3] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %made_1 = llvm.getelementptr %handles[4] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %made_2 = llvm.getelementptr %handles[5] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    llvm.store %null, %handles : !llvm.ptr, !llvm.ptr
    llvm.store %null, %b_handle : !llvm.ptr, !llvm.ptr
    llvm.store %null, %c_handle : !llvm.ptr, !llvm.ptr
    llvm.store %null, %made_0 : !llvm.ptr, !llvm.ptr
    llvm.store %null, %made_1 : !llvm.ptr, !llvm.ptr
    llvm.store %null, %made_2 : !llvm.ptr, !llvm.ptr
    %status_a = llvm.call @tensor(%a, %type, %rank, %a_view, %zero, %handles) : (!llvm.ptr, i64, i64, !llvm.ptr, i64, !llvm.ptr) -> i32
    %status_b = llvm.call @tensor(%b, %type, %rank, %b_view, %zero, %b_handle) : (!llvm.ptr, i64, i64, !llvm.ptr, i64, !llvm.ptr) -> i32
    %status_c = llvm.call @tensor(%c, %type, %rank, %c_view, %zero, %c_handle) : (!llvm.ptr, i64, i64, !llvm.ptr, i64, !llvm.ptr) -> i32
    %status_ab = llvm.or %status_a, %status_b : i32
    %status = llvm.or %status_ab, %status_c : i32
    %a_tensor = llvm.load %handles : !llvm.ptr -> !llvm.ptr
    %b_tensor = llvm.load %b_handle : !llvm.ptr -> !llvm.ptr
    %c_tensor = llvm.load %c_handle : !llvm.ptr -> !llvm.ptr
    %seen = llvm.icmp "eq" %status, %no : i32
    llvm.cond_br %seen, ^compute, ^clear(%status : i32)
  ^compute:
    llvm.cond_br %forward, ^forward, ^backward
  ^forward:
    %convolved = llvm.call @aoti_torch_cpu_convolution(%a_tensor, %b_tensor, %null, %stride, %space, %padding, %space, %dilation, %space, %no, %zeros, %space, %groups, %made_0)
      : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, !llvm.ptr, i64, !llvm.ptr, i64, i32, !llvm.ptr, i64, i64, !llvm.ptr) -> i32
    llvm.br ^computed(%convolved, %c_tensor, %made_0 : i32, !llvm.ptr, !llvm.ptr)
  ^backward:
    %of_weight = llvm.call @of_weight(%frame) : (!llvm.ptr) -> i1
    %yes = llvm.mlir.constant(1 : i32) : i32
    %of_input_wanted = llvm.select %of_weight, %no, %yes : i1, i32
    %of_weight_wanted = llvm.select %of_weight, %yes, %no : i1, i32
    %wanted = llvm.alloca %three x i32 : (i64) -> !llvm.ptr
    %wanted_1 = llvm.getelementptr %wanted[1] : (!llvm.ptr) -> !llvm.ptr, i32
    %wanted_2 = llvm.getelementptr %wanted[2] : (!llvm.ptr) -> !llvm.ptr, i32
    llvm.store %of_input_wanted, %wanted : i32, !llvm.ptr
    llvm.store %of_weight_wanted, %wanted_1 : i32, !llvm.ptr
    llvm.store %no, %wanted_2 : i32, !llvm.ptr
    %derived = llvm.call @aoti_torch_cpu_convolution_backward(%a_tensor, %b_tensor, %c_tensor, %null, %zero, %stride, %space, %padding, %space, %dilation, %space, %no, %zeros, %space, %groups, %wanted, %three, %made_0, %made_1, %made_2)
      : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, !llvm.ptr, i64, !llvm.ptr, i64, !llvm.ptr, i64, i32, !llvm.ptr, i64, i64, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
    %target = llvm.select %of_weight, %c_tensor, %b_tensor : i1, !llvm.ptr
    %source = llvm.select %of_weight, %made_1, %made_0 : i1, !llvm.ptr
    llvm.br ^computed(%derived, %target, %source : i32, !llvm.ptr, !llvm.ptr)
  ^computed(%computed: i32, %into: !llvm.ptr, %from: !llvm.ptr):
    %fine = llvm.icmp "eq" %computed, %no : i32
    llvm.cond_br %fine, ^copy, ^clear(%computed : i32)
  ^copy:
    %made = llvm.load %from : !llvm.ptr -> !llvm.ptr
    %copied = llvm.call @aoti_torch_copy_(%into, %made, %no) : (!llvm.ptr, !llvm.ptr, i32) -> i32
    llvm.br ^clear(%copied : i32)
  ^clear(%final: i32):
    llvm.br ^delete(%zero : i64)
  ^delete(%i: i64):
    %handle = llvm.getelementptr %handles[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
    %tensor = llvm.load %handle : !llvm.ptr -> !llvm.ptr
    %deleted = llvm.call @aoti_torch_delete_tensor_object(%tensor) : (!llvm.ptr) -> i32
    %next = llvm.add %i, %one : i64
    %more = llvm.icmp "slt" %next, %six : i64
    llvm.cond_br %more, ^delete(%next : i64), ^end
  ^end:
    llvm.call @end() : () -> ()
    %verdict = llvm.call @verdict(%frame, %final) : (!llvm.ptr, i32) -> !llvm.ptr
    llvm.return %verdict : !llvm.ptr
  }

  // Takes the address of what explains failures, and writes those of the three handlers.
  llvm.func @handlers(%explain: !llvm.ptr, %places: !llvm.ptr) {
    %explain_place = llvm.mlir.addressof @explain : !llvm.ptr
    llvm.store %explain, %explain_place : !llvm.ptr, !llvm.ptr
    %null = llvm.mlir.zero : !llvm.ptr
    %turn = llvm.mlir.addressof @turn : !llvm.ptr
    %ready = llvm.call @pthread_mutex_init(%turn, %null) : (!llvm.ptr, !llvm.ptr) -> i32
    %0 = llvm.mlir.addressof @matmul : !llvm.ptr
    %1 = llvm.mlir.addressof @convolution : !llvm.ptr
    %2 = llvm.mlir.addressof @convolution_gradient : !llvm.ptr
    %place_1 = llvm.getelementptr %places[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %place_2 = llvm.getelementptr %places[2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    llvm.store %0, %places : !llvm.ptr, !llvm.ptr
    llvm.store %1, %place_1 : !llvm.ptr, !llvm.ptr
    llvm.store %2, %place_2 : !llvm.ptr, !llvm.ptr
    llvm.return
  }
}
