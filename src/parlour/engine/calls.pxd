from .bitset cimport Byte, Word

cdef inline void start(object state) noexcept with gil:
    try:
        state.start()
    except BaseException as error:
        state.fail(error)

cdef inline Word choices(object state) noexcept with gil:
    try:
        return state.choices()
    except BaseException as error:
        state.fail(error)
    return 0

cdef inline void apply(object state, int step) noexcept with gil:
    try:
        state.apply(step)
    except BaseException as error:
        state.fail(error)

cdef inline void receive(object state) noexcept with gil:
    try:
        state.receive()
    except BaseException as error:
        state.fail(error)

cdef inline void fill(object state, object other) noexcept with gil:
    try:
        state.copy_attributes(other)
    except BaseException as error:
        state.fail(error)

cdef inline double score_of(object state, int seat) noexcept with gil:
    try:
        return state.score_of(seat)
    except BaseException as error:
        state.fail(error)
    return 0.0

cdef inline bint has_won(object state, int seat) noexcept with gil:
    try:
        return seat in state.winners()
    except BaseException as error:
        state.fail(error)
    return False

cdef inline double forecast(object state, int seat) noexcept with gil:
    try:
        return state.forecast(seat)
    except BaseException as error:
        state.fail(error)
    return 0.0

cdef inline void shuffle_unseen(object state, object luck) noexcept with gil:
    try:
        state.shuffle_unseen(luck)
    except BaseException as error:
        state.fail(error)

cdef inline void look(object view, object state) noexcept with gil:
    try:
        view.look(state)
    except BaseException as error:
        view.fail(error)

cdef inline void hear(object view, list row) noexcept with gil:
    try:
        view.hear(row)
    except BaseException as error:
        view.fail(error)

cdef inline bint determinize(object view, object state, object luck) noexcept with gil:
    try:
        return view.determinize(state, luck)
    except BaseException as error:
        view.fail(error)
    return False

cdef inline int choose(object view, object luck) noexcept with gil:
    try:
        return view.choose(luck)
    except BaseException as error:
        view.fail(error)
    return view.legal()[0]

cdef inline Py_ssize_t recall(object view, Byte *buffer, Py_ssize_t at) noexcept with gil:
    try:
        for number in view.numbers_remembered():
            buffer[at] = number
            at += 1
    except BaseException as error:
        view.fail(error)
    return at

cdef inline Py_ssize_t write(object view, Byte *buffer, Py_ssize_t at) noexcept with gil:
    try:
        for number in view.numbers():
            buffer[at] = number
            at += 1
    except BaseException as error:
        view.fail(error)
    return at
